"""Writes tests/mail/corpus: mails in the shapes that programs send, with what must be understood.

`python -m tests.mail.build_corpus`. Every mail is a readable file `NAME.eml`; beside it `NAME.txt`
says what is to be understood, as `understanding.py` tells it. The labels come from here, from what
was put into a mail, never from reading it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from openplan.core.game import Seat
from tests.mail.clients import SHAPES
from tests.mail.desk import farm, token
from tests.mail.people_mails import people
from tests.mail.pieces import text
from tests.mail.special_mails import ADDRESS, THREE, specials

FOLDER = Path(__file__).parent / "corpus"


def own_letter() -> list[str]:
    """A report of ours: what stands in it must never be read as orders."""
    match = farm()
    game = match.game
    view = match.view(Seat(0))
    held = game.parse_move(
        match.deck, "1: card 48 N2; 2: card 53 N2 turn 2 employee N1; 3: nothing"
    )
    return [
        ":: Game 17 PBM Cube Farm",
        ":: Turn 1",
        ":: Deadline 2026-11-19 20:00 Europe/Berlin",
        "",
        "phase 1, top floor: S places card 48 at N2",
        "You hold:",
        *game.tell_orders(view, held),
        "",
        f"BEGIN {token()}",
        *game.order_form(view),
        "END",
    ]


# name: what is written, what must be understood
CONTENTS: dict[str, tuple[list[str], list[str]]] = {
    "three": (
        ["BEGIN", "1: card 23 N2 turn 1 employee E1", "2: card 17 N3", "3: employee E2", "END"],
        THREE,
    ),
    "greeting": (
        [
            "Hi all,",
            "1: this is not an order",
            "",
            "Begin",
            "phase 1 card 23 at N2 turned 1 employee at E1",
            "phase 2: card #17 N3",
            "phase 3: employee E2",
            "End",
            "",
            "Cheers, Sal",
            "1: card 5 N2",
            "WAIT",
        ],
        THREE,
    ),
    "one-line": (
        [
            "BEGIN ORDERS",
            "1: card 23 N2 turn 1 employee E1; 2: card 17 N3; 3: employee E2",
            "END ORDERS",
        ],
        THREE,
    ),
    "lists": (
        [
            "BEGIN",
            "",
            "- 1) card 23, N2, turn 1",
            "- 1) employee E1",
            "- 2) card 17, N3",
            "- 3) employee E2",
            "",
            "END",
        ],
        ["order 1 = 1: card 23 N2 turn 1", "order 1 = 1: employee E1", *THREE[1:]],
    ),
    "comments": (
        [
            "BEGIN",
            "# my first try",
            "1: card 23 N2 turn 1 employee E1",
            "   # up there",
            "2: card 17 N3  # up",
            "",
            "3: employee E2 // ok",
            "END",
        ],
        THREE,
    ),
    "noise": (
        [
            "BEGIN",
            "Dear judge,",
            "1: card 23 N2 turn 1",
            "I hope this is good",
            "2: crad 17 N3",
            "3: employee E2",
            "END",
        ],
        [
            "refused not-understood | Dear judge,",
            "order 1 = 1: card 23 N2 turn 1",
            "refused not-understood | I hope this is good",
            "refused unreadable | 2: crad 17 N3",
            THREE[2],
        ],
    ),
    "talk": (
        [
            "BEGIN",
            "WAIT",
            "PRESS TO P, T",
            "Shall we share?",
            "1: card 99 N9",
            "ENDPRESS",
            "hand",
            "map",
            "nothing",
            "END",
        ],
        ["command WAIT", "command PRESS", "command HAND", "command MAP", "order all = nothing"],
    ),
    "cut": (
        ["BEGIN", "1: card 23 N2", "2: card 17 N3"],
        ["trouble no-end"],
    ),
    "form": (
        [
            "BEGIN",
            "1: card 23 at N2 turn 1",
            "1: employee E1",
            "2: card ____ at ____ turn 0",
            "2: employee ____",
            "3: card 17 at ____ turn 0",
            "3: employee E2",
            "END",
        ],
        [
            "order 1 = 1: card 23 N2 turn 1",
            "order 1 = 1: employee E1",
            "blank | 2: card ____ at ____ turn 0",
            "blank | 2: employee ____",
            "refused blank | 3: card 17 at ____ turn 0",
            THREE[2],
        ],
    ),
}


def as_shaped(shape: str, content: str, label: list[str]) -> list[str]:
    """The label, where a shape changes how refused lines read."""
    if shape == "shouted":
        halves = [line.partition(" | ") for line in label]
        return [head + bar + rest.upper() for head, bar, rest in halves]
    if shape == "wrapped" and content == "form":
        # A line with a blank is no order, and neither is what was broken off it.
        broken = {
            "blank | 2: card ____ at ____ turn 0": ["blank | 2: card ____ at ____", "turn 0"],
            "refused blank | 3: card 17 at ____ turn 0": [
                "refused blank | 3: card 17 at ____ turn",
                "0",
            ],
        }
        found = []
        for line in label:
            first, *rest = broken.get(line, [line])
            found += [first, *(f"refused not-understood | {piece}" for piece in rest)]
        return found
    return label


def mails() -> Iterator[tuple[str, bytes, list[str]]]:
    letter = own_letter()
    for content, (written, label) in CONTENTS.items():
        for name, shape in SHAPES.items():
            raw = shape(written, letter, ADDRESS)
            yield f"{name}--{content}", raw, as_shaped(name, content, label)
    yield from specials(letter)
    yield from people(letter)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.iterdir():
        file.unlink()
    for name, raw, label in mails():
        (FOLDER / f"{name}.eml").write_bytes(raw)
        (FOLDER / f"{name}.txt").write_text(text(label, "\n"), "utf-8")


if __name__ == "__main__":
    main()
