"""The terminal: what is written to it and read from it."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# Colour is an ornament: everything can be read without it.
_STYLES: Final = (
    (re.compile(r"▒+"), "blue"),
    (re.compile(r"\b[A-Z]\d\d[a-z]\b"), "bold"),
    (re.compile(r"\[[A-Z]+-[\d.]+\]"), "dim"),
)
_CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"  # the screen, and what could be scrolled back to

_LOOK: Final = 0.1


class LeaveError(Exception):
    """Whoever sits at the terminal wants to leave: end of input, or Ctrl-C."""


class Terminal:
    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, soft_wrap=True)
        self._is_plain = not _can_encode("▒┌·…")
        if sys.stdin.isatty():
            _edit_lines()

    def show(self, text: str = "") -> None:
        from rich.text import Text

        from openplan.render.text import as_ascii

        coloured = Text(as_ascii(text) if self._is_plain else text)
        for pattern, style in _STYLES:
            coloured.highlight_regex(pattern, style)
        self._console.print(coloured)

    def ask(self, prompt: str) -> str:
        try:
            with _hearing_interrupts():
                return input(prompt).strip()
        except (EOFError, KeyboardInterrupt):
            print()
            raise LeaveError from None

    def clear(self) -> None:
        """Leave nothing of what was shown or typed for the next one at this terminal."""
        if sys.stdout.isatty():
            print(_CLEAR, end="", flush=True)
        _forget_lines()


def _can_encode(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


@contextmanager
def _hearing_interrupts() -> Iterator[None]:
    """Ctrl-C after a prompt is written and before its first key is waited for would be seen only
    with that key: the wait is told nothing of what came before it. So it is broken off now and
    then, to look."""
    if not sys.stdin.isatty() or not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _edit_lines() -> None:
    try:
        import readline  # noqa: F401 - `input` edits lines and remembers them once it is there
    except ImportError:
        return


def _forget_lines() -> None:
    readline = sys.modules.get("readline")
    if readline is not None:
        readline.clear_history()
