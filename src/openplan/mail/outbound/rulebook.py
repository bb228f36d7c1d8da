"""The rules as they are written for people, clause by clause, for who asks by mail."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import openplan

_PART: Final = re.compile(r"## ([A-Z]+-[0-9]+) (.+)")
_CLAUSE: Final = re.compile(
    r'<a id="[a-z0-9.-]+"></a>\*\*([A-Z]+-[0-9.]+) (.+?)\.\*\*\s*(.*)', re.DOTALL
)
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS: Final = re.compile(r"[*`]+")
MOST: Final = 12
"""Clauses in one answer to a word."""


@dataclass(frozen=True, slots=True)
class Clause:
    """`lines` are plain text; a table or a list keeps its rows."""

    number: str
    title: str
    part: str
    lines: tuple[str, ...]


def folder() -> Path:
    """As they are written in docs/; an installed wheel brings its own."""
    package = Path(openplan.__file__).resolve().parent
    checkout = package.parent.parent
    if package.parent.name == "src" and (checkout / "pyproject.toml").is_file():
        return checkout / "docs" / "rules"
    return package / "_rules"


@cache
def clauses(game: str, language: str = "en") -> tuple[Clause, ...]:
    """All of a game, by its name, in their order; in English where there is no page of a game in
    that language."""
    page = folder() / f"{game}.{language}.md"
    if not page.is_file():
        page = folder() / f"{game}.md"
    found: list[Clause] = []
    part = ""
    preface: tuple[str, ...] = ()
    for paragraph in page.read_text("utf-8").split("\n\n"):
        heading, clause = _PART.fullmatch(paragraph.strip()), _CLAUSE.match(paragraph.strip())
        if heading:
            part, preface = f"{heading[1]} {heading[2]}", ()
        elif clause:
            lines = (*preface, *_lines(clause[3]))
            found.append(Clause(clause[1], _plain(clause[2]), part, lines))
            preface = ()
        elif part and (not found or found[-1].part != part):
            preface = (*preface, *_lines(paragraph))
        elif part and not paragraph.startswith("#"):
            # A table, a list or a paragraph that belongs to the clause before it.
            last = found[-1]
            found[-1] = replace(last, lines=(*last.lines, *_lines(paragraph)))
    return tuple(found)


def looked_up(game: str, topic: str, language: str = "en") -> list[Clause]:
    """A clause by its number (`CF-5.2`, or `5.2`), all of a part (`CF-5`), or what speaks of a
    word, where it is the title's first."""
    wanted = topic.strip().lower()
    number = re.fullmatch(r"(?:[a-z]+-?)?([0-9]+(?:\.[0-9]+)?)", wanted)
    if number:
        return [
            clause
            for clause in clauses(game, language)
            if (of := clause.number.partition("-")[2]) == number[1]
            or of.startswith(f"{number[1]}.")
        ]
    titled = [clause for clause in clauses(game, language) if wanted in clause.title.lower()]
    told = [
        clause for clause in clauses(game, language) if wanted in " ".join(clause.lines).lower()
    ]
    return [*titled, *(clause for clause in told if clause not in titled)][:MOST]


def _lines(text: str) -> tuple[str, ...]:
    rows: list[str] = []
    for line in _LINK.sub(r"\1", text).strip().splitlines():
        is_row = line.startswith(("|", "- ", "```", "    "))
        if is_row and not re.fullmatch(r"[|\s:-]+|```.*", line):
            rows.append(_plain(line.strip("| ")).replace(" | ", ", "))
        elif not is_row and rows and not rows[-1].startswith("- "):
            rows[-1] = f"{rows[-1]} {_plain(line)}"
        elif not is_row:
            rows.append(_plain(line))
    return tuple(rows)


def _plain(text: str) -> str:
    return _MARKS.sub("", _LINK.sub(r"\1", text)).strip()
