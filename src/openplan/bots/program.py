"""A bot that is any program: one JSON line in, one JSON line out (docs/bots.md).

It runs in a process group of its own with limits on time, memory and what it writes; whatever it
does, its match is all it can lose. This keeps a faulty program from doing harm, not a hostile one.
"""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict
from random import Random
from typing import Any, Final

from openplan.bots import BotFailed, Budget
from openplan.core.game import AnyGame, GameError

SECONDS: Final = 10.0
"""For a move, where nobody said otherwise."""
GRACE: Final = 1.1
"""A tenth more than the budget told, before the program is stopped."""
START_SECONDS: Final = 5.0
"""Added to the first move's time, in which the program starts."""
MEMORY: Final = 2 * 1024**3
FILE_SIZE: Final = 64 * 1024**2
PROCESSOR_SECONDS: Final = 3600
"""The end of a program that outlives us."""
LONGEST_ANSWER: Final = 64 * 1024
MOST_QUESTIONS: Final = 10_000

_LIMITED: Final = (
    'ulimit -v "$1" && ulimit -f "$2" && ulimit -t "$3" && ulimit -c 0 && shift 3 && exec "$@"'
)
_running: set[int] = set()


def end_all() -> None:
    """End every program that is still running; for a process that is told to stop."""
    for group in list(_running):
        _kill(group)


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    _running.discard(group)


class ProgramBot:
    """One program at one table, from its first move until `close`."""

    meaning = "is a program of somebody's own"

    def __init__(self, command: str, budget: Budget, memory: int = MEMORY) -> None:
        self.name = f"cmd:{command}"
        try:
            self.command = shlex.split(command)
        except ValueError as error:
            raise GameError("command", f"{command[:80]!r} is no command: {error}") from None
        if not self.command:
            raise GameError("command", "there is no command after cmd:")
        self.budget = budget
        self.seconds = budget.seconds or SECONDS
        self.memory = memory
        self.process: subprocess.Popen[bytes] | None = None
        self.unread = b""

    def choose(self, game: AnyGame, view: Any, rng: Random) -> Any:
        until = time.monotonic() + self.seconds * GRACE
        if self.process is None:
            self._start()
            until += START_SECONDS
        request: dict[str, object] = {
            "game": game.name,
            "view": game.view_data(view),
            "moves": _moves(game, view),
            "seed": rng.getrandbits(32),
            "budget": asdict(self.budget) | {"seconds": self.seconds},
        }
        for _ in range(MOST_QUESTIONS):
            answer = self._ask(request, until)
            if "move" in answer:
                return self._checked(game, view, answer["move"])
            steps = answer.get("steps")
            if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
                raise self._failed("nonsense", "its answer has neither a move nor steps")
            options = game.options(view, steps)
            request = {"next": [asdict(step) for step in options.next], "whole": options.whole}
        raise self._failed("questions", f"it asked more than {MOST_QUESTIONS} questions")

    def _checked(self, game: AnyGame, view: Any, text: object) -> Any:
        if not isinstance(text, str):
            raise self._failed("nonsense", "its move is not a text")
        try:
            move = game.parse_move(view.deck, text)
        except GameError as error:
            raise self._failed("unreadable", f"its move cannot be read: {error}") from None
        refusal = game.why_not(view, move)
        if refusal is not None:
            why = game.say(refusal.code, refusal.params)
            raise self._failed("illegal", f"its move {text[:80]!r} is illegal: {why}")
        return move

    # -- The process -------------------------------------------------------------------------

    def _start(self) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the program
        limits = [str(self.memory // 1024), str(FILE_SIZE // 512), str(PROCESSOR_SECONDS)]
        try:
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", _LIMITED, "sh", *limits, *self.command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self.errors.close()
            raise BotFailed("start", f"{self.name} does not start: {error}") from None
        _running.add(self.process.pid)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdin.fileno(), False)
        os.set_blocking(self.process.stdout.fileno(), False)

    def _ask(self, request: dict[str, object], until: float) -> dict[str, Any]:
        line = self._exchange(json.dumps(request).encode() + b"\n", until)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise self._failed("nonsense", f"it wrote {line[:80]!r}, which is not JSON") from None
        if not isinstance(answer, dict):
            raise self._failed("nonsense", f"it wrote {line[:80]!r}, which is not a JSON object")
        return answer

    def _exchange(self, data: bytes, until: float) -> bytes:
        """Write all of it and read a line, neither waiting for the other nor for ever."""
        assert self.process is not None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        into, out = self.process.stdin.fileno(), self.process.stdout.fileno()
        while data or b"\n" not in self.unread:
            left = until - time.monotonic()
            readable, writable, _ = select.select([out], [into] if data else [], [], max(0.0, left))
            if not readable and not writable:
                raise self._failed("time", f"it gave no move within {self.seconds:g} s")
            if writable:
                try:
                    data = data[os.write(into, data) :]
                except BlockingIOError:
                    pass
                except BrokenPipeError:
                    raise self._gone() from None
            if readable:
                more = os.read(out, 65536)
                if not more:
                    raise self._gone()
                self.unread += more
                if len(self.unread) > LONGEST_ANSWER:
                    raise self._failed("nonsense", f"it wrote over {LONGEST_ANSWER} bytes at once")
        line, _, self.unread = self.unread.partition(b"\n")
        return line

    def _gone(self) -> BotFailed:
        assert self.process is not None
        try:
            status = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return self._failed("ended", "it closed its input or output")
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - 2000))
        lines = self.errors.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return self._failed("ended", f"it ended {how}" + (f": {last[:200]}" if last else ""))

    def _failed(self, code: str, reason: str) -> BotFailed:
        self.close()
        return BotFailed(code, f"{self.name}: {reason}")

    def close(self) -> None:
        """End the program and all it has started."""
        if self.process is None:
            return
        _kill(self.process.pid)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            assert stream is not None
            with suppress(OSError):  # what was not yet written is lost, and nobody waits for it
                stream.close()
        self.process = None
        self.unread = b""


def _moves(game: AnyGame, view: Any) -> list[str] | None:
    """All moves as texts, where they are few enough to be listed."""
    try:
        moves = game.moves(view)
    except GameError:
        return None
    return [game.format_move(view.deck, move) for move in moves]
