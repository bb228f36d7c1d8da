"""After a match, in words: what spoke for a better move by what its seat could know, and what was
hidden from it. Which move is better says the judge (`bot`); here is said what can be seen of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from openplan.core.game import Event, Remark, Seat
from openplan.core.grid import Square
from openplan.games.human_resources.cards import NUMBER, colour_of, orientations, shown
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.state import State, eye
from openplan.games.human_resources.text.notation import Move
from openplan.games.human_resources.view import OfficeView

MOST: Final = 3
"""Reasons that are told of one move."""
_SCORING: Final = ("completed", "quota")


class After(NamedTuple):
    """What a move leads to, as far as its maker can know it."""

    move: Move
    view: OfficeView
    events: tuple[Event, ...]


def reasons(before: OfficeView, best: After, made: After) -> list[Remark]:
    """The plainest first."""
    seat = before.to_act
    assert seat is not None
    found = [
        *_scored(best, made),
        *_nearer(best, made, seat),
        *_farther(best, made, 1 - seat),
        *_begun(before, best, made),
        *_kept(best, made),
    ]
    return found[:MOST]


def _scored(best: After, made: After) -> list[Remark]:
    """What it scores at once and the move made does not."""
    done = {_card(event) for event in made.events if event.code in _SCORING}
    return [
        Remark(f"why-{event.code}", {"card": _card(event), "value": str(event.params["value"])})
        for event in best.events
        if event.code in _SCORING and _card(event) not in done
    ]


def _nearer(best: After, made: After, seat: int) -> list[Remark]:
    """The own project in play that it brings nearest, and of most value."""
    short, instead = _shorts(best.view, seat), _shorts(made.view, seat)
    gains = [
        (instead[card] - count, _value(best.view, card), card)
        for card, count in short.items()
        if card in instead and count < instead[card]
    ]
    if not gains:
        return []
    _, _, card = max(gains)
    counts: dict[str, str | int] = {"count": short[card], "instead": instead[card]}
    return [Remark("why-nearer", {"card": card, **counts})]


def _farther(best: After, made: After, other: int) -> list[Remark]:
    """The other side's project that the move made leaves nearer to its end."""
    short, instead = _shorts(best.view, other), _shorts(made.view, other)
    threats = [
        (short[card] - count, _value(best.view, card), card)
        for card, count in instead.items()
        if card in short and count < short[card]
    ]
    if not threats:
        return []
    _, _, card = max(threats)
    counts: dict[str, str | int] = {"count": instead[card], "instead": short[card]}
    return [Remark("why-farther", {"card": card, **counts})]


def _begun(before: OfficeView, best: After, made: After) -> list[Remark]:
    if best.move.kind != codes.PLAY_PROJECT or made.move.cards[:1] == best.move.cards[:1]:
        return []
    card = best.move.cards[0]
    count = _short(_office(before), before, card)
    worth: dict[str, str | int] = {"card": card, "value": _value(before, card)}
    if not count:
        return [Remark("why-begun-there", worth)]
    return [Remark("why-begun", {**worth, "count": count})]


def _kept(best: After, made: After) -> list[Remark]:
    """A card that the move made has used up and that would still be in hand."""
    seat = Seat(made.view.viewer or 0)
    left = {shown(card) for card in best.view.hands[seat]}
    gone = [card for card in made.move.cards[:1] if card in left]
    used = best.move.cards[:1]
    if not gone or not used or made.move.kind not in (codes.PLACE, *_HIRES):
        return []
    return [Remark("why-kept", {"card": gone[0], "instead": used[0]})]


_HIRES: Final = range(codes.MOVE, codes.LOOK + 1)


def _card(event: Event) -> str:
    return str(event.params["card"])


def _value(view: OfficeView, card: str) -> int:
    return view.deck.card[card].value or 0


def _office(view: OfficeView) -> dict[Square, str]:
    return {square: colour_of(card) for square, card, _ in view.office}


def _shorts(view: OfficeView, seat: int) -> dict[str, int]:
    """Of each project in play, by how many cubicles the office lacks it."""
    office = _office(view)
    names = [shown(card) for card in view.play[seat]]
    return {name: _short(office, view, name) for name in names if view.deck.card[name].pattern}


def _short(office: Mapping[Square, str], view: OfficeView, card: str) -> int:
    """In the place where it lacks least. A cubicle of the other colour is lacking too."""
    xs, ys = [square.x for square in office], [square.y for square in office]
    least = 9
    for rows in orientations(view.deck.card[card].pattern, view.house["mirror"] == "yes"):
        cells = [
            (x, y, "dark" if letter == "D" else "light")
            for y, row in enumerate(rows)
            for x, letter in enumerate(row)
            if letter != "."
        ]
        for left in range(min(xs) - 2, max(xs) + 1):
            for top in range(min(ys) - 2, max(ys) + 1):
                lacks = sum(office.get(Square(left + x, top + y)) != c for x, y, c in cells)
                least = min(least, lacks)
    return least


def truth(state: State, seat: Seat) -> list[Remark]:
    """The other hand and the next card, as far as the seat did not know them."""
    sees = eye(seat)
    hidden = [card for card in state.table.hand_of(1 - seat) if not state.known[card] & sees]
    found = []
    if hidden:
        names = ", ".join(sorted(map(shown, hidden), key=lambda name: NUMBER[name]))
        found.append(Remark("truth-hand", {"names": names}))
    pile = state.table.deck_list()
    if pile and not state.known[pile[0]] & sees:
        found.append(Remark("truth-next", {"card": shown(pile[0])}))
    return found
