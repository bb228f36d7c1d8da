"""One name, one thing: a reader who has met a class knows which one is meant."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import openplan

ROOMS = [Path(openplan.__file__).parent / name for name in ("server", "mail")]


def classes(source: str) -> Iterator[str]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def twice(sources: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for where, source in sources:
        for name in classes(source):
            found[name].append(where)
    return {name: where for name, where in found.items() if len(where) > 1}


def test_no_class_of_server_and_mail_has_the_name_of_another() -> None:
    assert twice([("a", "class One: ..."), ("b", "class One: ...")]) == {"One": ["a", "b"]}
    files = [file for room in ROOMS for file in room.rglob("*.py")]
    assert len(files) > 80
    assert twice((file.name, file.read_text("utf-8")) for file in files) == {}
