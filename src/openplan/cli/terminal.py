"""The terminal: what is written to it and read from it."""

from __future__ import annotations

import re
import sys
from typing import Final

# Colour is an ornament: everything can be read without it.
_STYLES: Final = (
    (re.compile(r"▒+"), "blue"),
    (re.compile(r"\b[A-Z]\d\d[a-z]\b"), "bold"),
    (re.compile(r"\[[A-Z]+-[\d.]+\]"), "dim"),
)
_CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"  # the screen, and what could be scrolled back to


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


def _edit_lines() -> None:
    try:
        import readline  # noqa: F401 - `input` edits lines and remembers them once it is there
    except ImportError:
        return


def _forget_lines() -> None:
    readline = sys.modules.get("readline")
    if readline is not None:
        readline.clear_history()
