"""Every way in which a letter of ours may come back, to show that nothing in it is ever obeyed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from openplan.core.game import AnyGame
from tests.mail.clients import SHAPES
from tests.mail.pieces import quoted
from tests.mail.understanding import understood
from tests.probes import deck_of

ADDRESS = "orders@example.net"
WIDTHS = (60, 65, 70, 72, 74, 76, 78)


def assert_reads_as_nothing(letter: Sequence[str], game: AnyGame) -> None:
    """However this letter is quoted, broken and enclosed, no order and no command is read."""
    deck = deck_of(game)
    for style, raw in mails_with(letter):
        found = understood(raw, game, deck)
        bad = [line for line in found if line.startswith(("order", "command"))]
        assert not bad, f"{style}: {bad}"


def mails_with(letter: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    plain = SHAPES["plain"]
    for name, shape in SHAPES.items():
        for written in ([], ["Thanks, will do.", "Sal"]):
            yield name, shape(written, letter, ADDRESS)
        # Quoted without marks, and nothing written at all.
        yield f"bare {name}", shape(letter, [], ADDRESS)
    for mark in (">", "> ", ">> ", "| ", "SE> ", "  > ", " >|> "):
        yield f"mark {mark}", plain(quoted(letter, mark), [], ADDRESS)
    # Between a BEGIN and an END of somebody else's, with and without our own.
    for name, change in _CHANGES.items():
        changed = change(letter)
        yield name, plain(changed, [], ADDRESS)
        yield f"enclosed {name}", plain(["BEGIN", *changed, "END"], [], ADDRESS)
        inside = [line for line in changed if not _is_marker(line)]
        yield f"gutted {name}", plain(["BEGIN", *inside, "END"], [], ADDRESS)
        unheaded = [line for line in inside if not line.startswith("::")]
        yield f"headless {name}", plain(["BEGIN", *unheaded, "END"], [], ADDRESS)


def _is_marker(line: str) -> bool:
    return line.strip().upper().startswith(("BEGIN", "END"))


def _broken(width: int) -> Callable[[Sequence[str]], list[str]]:
    def change(letter: Sequence[str]) -> list[str]:
        return [
            piece
            for line in letter
            for piece in wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
        ]

    return change


_CHANGES: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "as it is": list,
    "twice": lambda letter: [*letter, *letter],
    "in one line": lambda letter: [" ".join(letter)],
    "paragraphs in one line": lambda letter: [
        " ".join(part.split()) for part in "\n".join(letter).split("\n\n")
    ],
    "without empty lines": lambda letter: [line for line in letter if line.strip()],
    "spaced": lambda letter: [text for line in letter for text in (line, "")],
    "unindented": lambda letter: [line.strip() for line in letter],
    "in capitals": lambda letter: [line.upper() for line in letter],
    **{f"at {width}": _broken(width) for width in WIDTHS},
}
