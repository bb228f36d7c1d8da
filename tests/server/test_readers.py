"""Readers of stored JSON are made while their module is loaded.

msgspec 0.22 gives a type its table of fields before the table is filled (a type may name itself).
While one thread fills it, another may read by it and meet a null pointer. The store has threads.
"""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SERVER = Path(__file__).resolve().parent.parent.parent / "src" / "openplan" / "server"
READS = ("decode", "convert", "Decoder")

# Many types, each read by four threads at once, which take turns as often as they can.
RACE = """
import sys, threading
from typing import Annotated, Literal
import msgspec
sys.setswitchinterval(1e-6)
for _ in range(400):
    class Rule(msgspec.Struct):
        kind: Literal["none", "live"]
        bank: Annotated[int, msgspec.Meta(ge=0)]
        days: tuple[Literal["mon", "tue"], ...]
        text: str | None = None
    reader = msgspec.json.Decoder(Rule) if sys.argv[1] == "before" else None
    gate = threading.Barrier(4)
    def read():
        gate.wait()
        data = b'{"kind": "live", "bank": 1, "days": ["mon"]}'
        (reader or msgspec.json.Decoder(Rule)).decode(data)
    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""


@pytest.mark.parametrize(("made", "ends"), [("before", 0), ("by the threads", -signal.SIGSEGV)])
def test_a_reader_made_before_its_threads_is_safe(made: str, ends: int) -> None:
    """And one that is not crashes; when it does not any more, this whole file may go."""
    assert subprocess.run([sys.executable, "-c", RACE, made], check=False).returncode == ends


def made_within_functions(source: str) -> Iterator[str]:
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                if isinstance(node, ast.Call):
                    called = ast.unparse(node.func)
                    is_read = called.startswith("msgspec.") and called.endswith(READS)
                    # Without a type there is no table.
                    if is_read and (len(node.args) > 1 or node.keywords or "Decoder" in called):
                        yield f"{node.lineno}: {ast.unparse(node)}"


def test_no_reader_is_made_later() -> None:
    planted = "def late(row):\n    return msgspec.json.decode(row, type=Rule)\n"
    assert len(list(made_within_functions(planted))) == 1
    found = {
        path.name: late
        for path in SERVER.rglob("*.py")
        if (late := list(made_within_functions(path.read_text("utf-8"))))
    }
    assert found == {}
