"""The office of Human Resources once more, straight from the clauses, to catch the engine erring:
cards, squares, patterns, and what the actions do to the cubicles.

Nothing of the engine is imported here, nor may it be: only sets, dicts, lists and loops over
them. A clause that could be folded into a cleverer one is not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

Square = tuple[int, int]  # x to the east, y to the south
Office = dict[Square, str]

DIRECTIONS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
OTHER = {"A": "B", "B": "A"}


@dataclass
class Position:
    """Everything on the table, open and hidden.

    Once `over`, `actor` and `to_act` stay with the player whose draw ended the game, and the
    fields about an unfinished turn are back at their defaults.
    """

    office: Office
    hands: dict[str, list[str]]
    patterns: dict[str, list[str]]
    values: dict[str, int]
    play: dict[str, list[str]] = field(default_factory=lambda: {"A": [], "B": []})
    scored: dict[str, list[str]] = field(default_factory=lambda: {"A": [], "B": []})
    discard: list[str] = field(default_factory=list)
    deck: list[str] = field(default_factory=list)
    actor: str = "A"
    to_act: str = "A"
    phase: str = "turn"  # turn, two-plays, pick-up, arrange
    plays_left: int = 0
    hiring: str | None = None
    overtime_used: bool = False
    over: bool = False
    mirror: bool = False
    leave: bool = False
    idle: bool = False
    to_hand: bool = False

    def copy(self) -> Position:
        return replace(
            self,
            office=dict(self.office),
            hands={seat: list(cards) for seat, cards in self.hands.items()},
            play={seat: list(cards) for seat, cards in self.play.items()},
            scored={seat: list(cards) for seat, cards in self.scored.items()},
            discard=list(self.discard),
            deck=list(self.deck),
        )


@dataclass(frozen=True)
class Change:
    """What an action did to the office, as far as completing projects goes (HR-5.4)."""

    office: Office  # as it stands when the action is done
    affected: frozenset[Square]  # where the affected cubicles lie then
    block: frozenset[Square] = frozenset()  # those of them that were shifted together


# --- Cards (HR-1) ---------------------------------------------------------------------------


def title(card: str) -> str:
    """The id without its colour: both M01d and M01l are M01."""
    return card[:-1]


def colour(card: str) -> str:
    return card[-1]


def can_be_project(card: str) -> bool:
    # HR-8.1: Crowdfunding is played like a project.
    return card.startswith("P") or title(card) == "X01"


# --- Squares --------------------------------------------------------------------------------


def square_name(square: Square) -> str:
    x, y = square
    name = ""
    if x > 0:
        name += f"E{x}"
    if x < 0:
        name += f"W{-x}"
    if y > 0:
        name += f"S{y}"
    if y < 0:
        name += f"N{-y}"
    return name or "0"


def parse_square(name: str) -> Square:
    x = y = 0
    for letter, (dx, dy) in {"E": (1, 0), "W": (-1, 0), "S": (0, 1), "N": (0, -1)}.items():
        if letter in name:
            digits = "".join(itertools.takewhile(str.isdigit, name.split(letter)[1]))
            x += dx * int(digits)
            y += dy * int(digits)
    return x, y


def reading_order(squares: Iterable[Square]) -> list[Square]:
    return sorted(squares, key=lambda square: (square[1], square[0]))


def neighbours(square: Square) -> list[Square]:
    x, y = square
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def empty_squares_beside(squares: Iterable[Square]) -> set[Square]:
    """Empty squares that share an edge with one of the squares given."""
    taken = set(squares)
    return {beside for square in taken for beside in neighbours(square)} - taken


def is_one_piece(squares: Iterable[Square]) -> bool:
    """HR-6.2: edge-connected, and at least one cubicle."""
    unreached = set(squares)
    if not unreached:
        return False
    to_visit = [unreached.pop()]
    while to_visit:
        for beside in neighbours(to_visit.pop()):
            if beside in unreached:
                unreached.remove(beside)
                to_visit.append(beside)
    return not unreached


def groups_up_to_three(office: Office) -> set[frozenset[Square]]:
    """All edge-connected sets of one, two or three cubicles."""
    ones = {frozenset([square]) for square in office}
    groups = set(ones)
    size = ones
    for _ in range(2):
        size = {
            group | {beside}
            for group in size
            for square in group
            for beside in neighbours(square)
            if beside in office and beside not in group
        }
        groups |= size
    return groups


# --- Patterns (HR-5.3) ----------------------------------------------------------------------

Orientation = frozenset[tuple[int, int, str]]


def quarter_turn(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The same drawing turned clockwise: its west column read from the south is the new top."""
    return tuple("".join(column) for column in zip(*reversed(rows), strict=True))


@cache
def orientations(rows: tuple[str, ...], mirror: bool) -> frozenset[Orientation]:
    drawings = [rows]
    if mirror:
        drawings.append(tuple(row[::-1] for row in rows))
    found = set()
    for drawing in drawings:
        turned = drawing
        for _ in range(4):
            found.add(
                frozenset(
                    (x, y, sign.lower())
                    for y, row in enumerate(turned)
                    for x, sign in enumerate(row)
                    if sign != "."
                )
            )
            turned = quarter_turn(turned)
    return frozenset(found)


def matches(rows: list[str], mirror: bool, office: Office) -> Iterator[set[Square]]:
    """The squares of every place where the pattern stands in the office."""
    for orientation in orientations(tuple(rows), mirror):
        first_x, first_y, _ = next(iter(orientation))
        for anchor_x, anchor_y in office:
            squares = set()
            for x, y, wanted in orientation:
                square = (anchor_x + x - first_x, anchor_y + y - first_y)
                card = office.get(square)
                if card is None or colour(card) != wanted:
                    break
                squares.add(square)
            else:
                yield squares


def is_newly_formed(rows: list[str], mirror: bool, before: Office, change: Change) -> bool:
    """HR-5.4, one condition after the other."""
    for match in matches(rows, mirror, change.office):
        if not match & change.affected:
            continue
        if all(
            square in before and colour(before[square]) == colour(change.office[square])
            for square in match
        ):
            continue
        if match <= change.block:
            continue
        return True
    return False


def projects_formed(position: Position, seat: str, change: Change) -> list[str]:
    """The seat's projects in play whose pattern the change newly forms, longest in play first."""
    return [
        card
        for card in position.play[seat]
        # Crowdfunding lies among the projects but shows no pattern (HR-8.1).
        if title(card) != "X01"
        and is_newly_formed(position.patterns[card], position.mirror, position.office, change)
    ]


# --- What the actions do to the office (HR-4, HR-6) -----------------------------------------


def placing(office: Office, card: str, square: Square) -> Change:
    return Change({**office, square: card}, frozenset([square]))


def moving(office: Office, start: Square, end: Square) -> Change:
    after = dict(office)
    after[end] = after.pop(start)
    return Change(after, frozenset([end]))


def swapping(office: Office, one: Square, two: Square) -> Change:
    return Change({**office, one: office[two], two: office[one]}, frozenset([one, two]))


def slid(group: Iterable[Square], direction: str, distance: int) -> set[Square]:
    dx, dy = DIRECTIONS[direction]
    return {(x + dx * distance, y + dy * distance) for x, y in group}


def shifting(office: Office, group: Iterable[Square], direction: str, distance: int) -> Change:
    dx, dy = DIRECTIONS[direction]
    lifted = set(group)
    after = {square: card for square, card in office.items() if square not in lifted}
    for x, y in lifted:
        after[x + dx * distance, y + dy * distance] = office[x, y]
    block = frozenset(slid(lifted, direction, distance))
    return Change(after, block, block)


def removing(office: Office, square: Square) -> Change:
    # HR-5.7: no affected cubicle is left.
    return Change({at: card for at, card in office.items() if at != square}, frozenset())


def exchanging(office: Office, card: str, square: Square) -> Change:
    # HR-5.4: affected only when exchanged for the other colour.
    is_recoloured = colour(card) != colour(office[square])
    return Change({**office, square: card}, frozenset([square] if is_recoloured else []))


def change_of(office: Office, words: list[str]) -> Change | None:
    """What a written move does to the office; None if it leaves the office alone."""
    match words:
        case ["place", card, square]:
            return placing(office, card, parse_square(square))
        case ["hire", _, "move", start, end]:
            return moving(office, parse_square(start), parse_square(end))
        case ["hire", _, "swap", one, two]:
            return swapping(office, parse_square(one), parse_square(two))
        case ["hire", _, "shift", group, direction, distance]:
            squares = [parse_square(name) for name in group.split("+")]
            return shifting(office, squares, direction, int(distance))
        case ["hire", _, "remove", square]:
            return removing(office, parse_square(square))
        case ["hire", _, "exchange", card, square]:
            return exchanging(office, card, parse_square(square))
    return None
