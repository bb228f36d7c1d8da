"""A disk that can be full, fail, or lose its power: an SQLite VFS in Python over the real one.

It passes everything on to the files and writes down what was written, cut and synced. From that it
makes what a disk may hold after a power cut: all that was synced, and of the rest any part, in any
order, torn at any sector.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

import apsw

SECTOR: Final = 512
_names = count(1)


@dataclass(frozen=True, slots=True)
class Act:
    """One thing done to a file. `kind` is write, cut, sync or delete."""

    file: str
    kind: str
    offset: int = 0
    data: bytes = b""


class Disk(apsw.VFS):
    """`fault(act)` may raise what SQLite shall be told instead of doing it."""

    def __init__(self) -> None:
        self.name = f"disk-{next(_names)}"
        self.acts: list[Act] = []
        self.fault: Callable[[Act], None] = lambda act: None
        super().__init__(self.name, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return _File(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.do(Act(Path(filename).name, "delete"))
        super().xDelete(filename, syncdir)

    def do(self, act: Act) -> None:
        self.fault(act)
        self.acts.append(act)

    def after_power_cut(self, at: int, chance: random.Random) -> dict[str, bytes]:
        """The files, if the power goes after so many acts."""
        files: dict[str, bytearray] = {}
        waiting: dict[str, list[Act]] = {}
        for act in self.acts[:at]:
            if act.kind == "delete":
                # SQLite deletes the log only after all of it is safe elsewhere.
                files.pop(act.file, None)
                waiting.pop(act.file, None)
            elif act.kind == "sync":
                for done in waiting.pop(act.file, []):
                    _apply(files, done)
                files.setdefault(act.file, bytearray())
            else:
                waiting.setdefault(act.file, []).append(act)
        for acts in waiting.values():
            mood = chance.choice(["nothing", "prefix", "anything"])
            if mood == "prefix":
                acts = acts[: chance.randrange(len(acts) + 1)]
            elif mood == "nothing":
                acts = []
            else:
                acts = [act for act in acts if chance.random() < 0.5]
                chance.shuffle(acts)
            for number, act in enumerate(acts):
                is_torn = mood == "anything" or number == len(acts) - 1
                for part in _torn(act, chance) if is_torn else [act]:
                    _apply(files, part)
        return {name: bytes(data) for name, data in files.items()}


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        filename = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self._name = Path(filename).name
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.do(Act(self._name, "write", offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.do(Act(self._name, "cut", newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.do(Act(self._name, "sync"))
        # The real disk need not be troubled: what it would hold is computed.


def _torn(act: Act, chance: random.Random) -> list[Act]:
    if act.kind != "write":
        return [act]
    starts = range(0, len(act.data), SECTOR)
    return [
        Act(act.file, "write", act.offset + start, act.data[start : start + SECTOR])
        for start in starts
        if chance.random() < 0.5
    ]


def _apply(files: dict[str, bytearray], act: Act) -> None:
    data = files.setdefault(act.file, bytearray())
    if act.kind == "cut":
        del data[act.offset :]
        return
    end = act.offset + len(act.data)
    if len(data) < end:
        data.extend(bytes(end - len(data)))
    data[act.offset : end] = act.data
