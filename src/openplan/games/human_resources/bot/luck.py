"""What chance gave in a match: the deal, the cards drawn, and the backs that came to light, each
beside what could have come.

The back of the top card is public, so what was open when it was drawn is which card of that colour.
Each of those left in the deck was as likely as another, but for those that somebody had looked at
(HR-8.4): these came as they were laid. Then the next card shows its back, and each colour was as
likely as its part of what is left. A deal is as likely as the same with hands and turn exchanged
(HR-2.3), so that its mean is nought. So the mean of all that is told here is nought whatever the
network says, and taking it off the final lead favours nobody.
"""

from __future__ import annotations

from collections.abc import Callable

from librt.vecs import vec
from mypy_extensions import u8

from openplan.core.game import Fortune, Seat
from openplan.games.human_resources.bot.think import LUCK_LOOKS, search_for
from openplan.games.human_resources.cards import colour_of, shown
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.state import State

_POINT = 1024
_MANY = 0
"""A deal is one of more than can be counted."""


def fortunes(before: State | None, after: State) -> list[Fortune]:
    if before is None:
        return _deal(after)
    found: list[Fortune] = []
    if after.table.phase == codes.AT_END:
        return found  # nothing more comes of it
    pile = before.table.deck_list()
    drawn = pile[: len(pile) - len(after.table.deck_list())]
    for place, card in enumerate(drawn):
        seat = next((seat for seat in (0, 1) if card in after.table.hand_of(seat)), None)
        if seat is None or before.known[card]:
            continue
        colour = colour_of(card)
        open_ = [c for c in pile[place:] if colour_of(c) == colour and not before.known[c]]
        value = _value(after, seat, len(drawn) - place - 1)
        hand = seat * 64 + after.table.hand_of(seat).index(card)
        worths = {c: _with(after.table.hand, hand, c, value) for c in open_}
        points = worths[card] - sum(worths.values()) / len(worths)
        found.append(Fortune(Seat(seat), shown(card), points, len(worths)))
    return found + (_back(before, after) if drawn else [])


def _deal(state: State) -> list[Fortune]:
    """What the second to move may expect of the deal, one half as luck of either."""
    second = 1 - int(state.table.actor)
    points = _value(state, second, 0)() / 2
    return [
        Fortune(Seat(second), "deal", points, _MANY),
        Fortune(Seat(1 - second), "deal", -points, _MANY),
    ]


def _back(before: State, after: State) -> list[Fortune]:
    """The card that lies on top now has shown its back to who draws next."""
    table = after.table
    pile = [card for card in table.deck_list() if not before.known[card]]
    top = table.deck_list()[0]
    if before.known[top]:
        return []  # somebody had looked at it
    of_colour = {colour_of(card): card for card in pile}
    if len(of_colour) < 2:
        return []
    seat = int(table.actor)
    mover = int(before.table.actor)
    value = _value(after, mover, 0)
    sign = 1 if seat == mover else -1
    colour = colour_of(top)
    place = int(table.deck_size) - 1
    worths = {
        name: sign * _with(table.deck, place, card, value) for name, card in of_colour.items()
    }
    mean = sum(worths[colour_of(card)] for card in pile) / len(pile)
    return [Fortune(Seat(seat), colour, worths[colour] - mean, len(worths))]


def _value(state: State, mover: int, later: int) -> Callable[[], float]:
    """How far the one who has moved will lead in the end, in points, by all that lies there; the
    cards drawn later left out. What lies under the deck's top is nobody's to know: the more
    frequent colour is thought to come first there, whatever the top is."""
    search = search_for(state.deck, state.house)
    table = state.table
    pile = [colour_of(card) for card in table.deck_list()]
    below = codes.DARK if 2 * pile.count("dark") >= len(pile) else codes.LIGHT

    def value() -> float:
        looks = (search.outlook(table, mover, later, turns, below) for turns in LUCK_LOOKS)
        return sum(map(int, looks)) / len(LUCK_LOOKS) / _POINT

    return value


def _with(cards: vec[u8], place: int, card: int, value: Callable[[], float]) -> float:
    """The value if another card lay in this place."""
    kept = cards[place]
    cards[place] = u8(card)
    found = value()
    cards[place] = kept
    return found
