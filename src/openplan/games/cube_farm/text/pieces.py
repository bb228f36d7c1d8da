"""What is needed to play on paper: floor cards, employees, a tent for each department."""

from __future__ import annotations

from typing import Final

from openplan.core.pieces import Counter, Pieces, Tent
from openplan.core.scene import Tile
from openplan.games.cube_farm.cards import FarmDeck
from openplan.games.cube_farm.drawings import PARTS
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import floor_of
from openplan.games.cube_farm.state import FLOORS, SEATS
from openplan.games.cube_farm.text.scene import legend_of
from openplan.games.cube_farm.text.words import DEPARTMENTS, FLOOR_NAMES, LETTERS, spoken_in

_KEY: Final = (
    "CF-1.2", "CF-2.3", "CF-3.2", "CF-3.3", "CF-3.5", "CF-3.6", "CF-4.1", "CF-4.4", "CF-4.5",
    "CF-5.1", "CF-5.2", "CF-6.1", "CF-6.2", "CF-6.3", "CF-6.4", "CF-6.5", "CF-6.7",
)  # fmt: skip


def pieces_of(deck: FarmDeck, language: str) -> Pieces:
    spoken = spoken_in(language)
    floors, phase = FLOOR_NAMES[spoken], LETTERS[spoken]["phase"]
    names = [_sentence(floors[floor]) for floor in FLOORS]
    # CF-2.1: elevators begin the floors.
    lifts = [name for name in deck.cards if codes.ELEVATOR in deck.card[name].kinds]
    people = [Tile(0, 0, "cube", parts=(PARTS[f"employee-{seat}"],)) for seat in SEATS]
    kinds = {kind for card in deck.card.values() for kind in card.kinds}
    return Pieces(
        tiles=(*lifts, *(name for name in deck.cards if name not in lifts)),
        counters=tuple(
            # CF-1.2, CF-3.1: one for each phase of the match.
            Counter(tile, DEPARTMENTS[spoken][seat], codes.TURNS * 3)
            for seat, tile in enumerate(people)
        ),
        tents=tuple(
            Tent(
                tile,
                DEPARTMENTS[spoken][seat],
                tuple(f"{phase} {n + 1}: {names[floor_of(seat, n)]}" for n in range(3)),
            )
            for seat, tile in enumerate(people)
        ),
        pad=tuple(names),
        legend=legend_of(deck, kinds, spoken),
        key=_KEY,
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
