"""The secrecy test can fail: each leak planted here is caught by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from openplan.core.game import OPEN, Event, Happening, Refusal, Secret, Viewer
from openplan.games.cube_farm import deal, rules, view
from openplan.games.cube_farm.game import GAME, CubeFarm
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.state import State
from openplan.games.cube_farm.text.notation import Orders, format_orders
from openplan.games.cube_farm.view import FarmView
from tests.probes import new_match, play_on, viewers
from tests.secrecy import differences

Plant = Callable[[pytest.MonkeyPatch], None]


def outputs_that_tell() -> set[str]:
    """Over unfinished matches, which outputs give something away."""
    found: set[str] = set()
    for seed in range(14):
        rng = Random(f"leak {seed}")
        match = new_match(GAME, rng)
        play_on(match, rng, rng.randrange(1, 12))
        if match.outcome is None:
            for viewer in viewers(GAME):
                found.update(differences(match, viewer, rng) or ())
    return found


def view_with(change: Callable[[State, Viewer, FarmView], FarmView]) -> Plant:
    real = view.view_of

    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(
            view, "view_of", lambda truth, viewer: change(truth, viewer, real(truth, viewer))
        )

    return plant


def a_hand(truth: State, viewer: Viewer, seen: FarmView) -> FarmView:
    return replace(seen, hands=tuple(tuple(truth.table.hand_of(seat)) for seat in range(3)))


def hands_as_they_lie(truth: State, viewer: Viewer, seen: FarmView) -> FarmView:
    """The unknown cards of a hand in the order in which known ones would be sorted."""
    hands = tuple(
        tuple(card if card in known else codes.NONE for card in sorted(truth.table.hand_of(seat)))
        for seat, known in enumerate(seen.hands)
    )
    return replace(seen, hands=hands)


def the_next_card(truth: State, viewer: Viewer, seen: FarmView) -> FarmView:
    return replace(seen, pile=(truth.table.deck_list()[0], *seen.pile[1:]))


def who_has_sent(truth: State, viewer: Viewer, seen: FarmView) -> FarmView:
    """Of a table that does not show it."""
    if truth.house["show-sent"] == "yes":
        return seen
    return replace(seen, sealed=tuple(o and Orders(untold=True) for o in truth.sealed))


def what_was_sent(truth: State, viewer: Viewer, seen: FarmView) -> FarmView:
    if truth.house["show-sent"] == "no":
        return seen
    return replace(seen, sealed=tuple(truth.sealed))


def what_will_be_spent(truth: State, viewer: Viewer, seen: FarmView) -> FarmView:
    """The cards of sealed orders, before any of them is lost."""
    named = [
        truth.deck.index[phase.card.card]
        for orders in truth.sealed
        for phase in (orders or Orders()).phases
        if phase.card is not None
    ]
    return replace(seen, spent=(*seen.spent, *sorted(named)))


def played(change: Callable[[State, Orders, Happening], Happening]) -> Plant:
    real = CubeFarm.play

    def play(self: CubeFarm, state: State, seat: Any, move: Orders) -> Happening:
        return change(state, move, real(self, state, seat, move))

    return lambda patch: patch.setattr(CubeFarm, "play", play)


def an_entry_for_all(state: State, move: Orders, happening: Happening) -> Happening:
    if happening.events or not isinstance(happening.text, Secret):
        return happening
    return replace(happening, text=replace(happening.text, cover="sent"))


def its_length(state: State, move: Orders, happening: Happening) -> Happening:
    if happening.events or not isinstance(happening.text, Secret) or happening.text.cover is None:
        return happening
    cover = f"sent {len(format_orders(move))}"
    return replace(happening, text=replace(happening.text, cover=cover))


def dealt_to_all(patch: pytest.MonkeyPatch) -> None:
    real = rules._dealt

    def dealt(*args: Any) -> Event:
        event = real(*args)
        assert isinstance(event.fact, Secret)
        return replace(event, fact=event.fact.text)

    patch.setattr(rules, "_dealt", dealt)


def dealt_in_events(patch: pytest.MonkeyPatch) -> None:
    real = rules._dealt

    def dealt(*args: Any) -> Event:
        event = real(*args)
        cards = event.params["cards"]
        assert isinstance(cards, Secret)
        return replace(event, params={**event.params, "cards": cards.text})

    patch.setattr(rules, "_dealt", dealt)


def deal_of_the_next_seat(patch: pytest.MonkeyPatch) -> None:
    real = deal.deal_told

    def told(dealt: Any, viewer: Viewer) -> Any:
        if viewer is None or viewer == OPEN:
            return real(dealt, viewer)
        label = deal.HANDS[(viewer + 1) % 3]
        return {**real(dealt, viewer), label: dealt[label]}

    patch.setattr(deal, "deal_told", told)


def refusal_by_the_truth(patch: pytest.MonkeyPatch) -> None:
    """A refusal that names something only the engine knows."""
    truths: list[State] = []
    real_view = view.view_of
    real = CubeFarm.why_not

    def look(truth: State, viewer: Viewer) -> FarmView:
        truths.append(truth)
        return real_view(truth, viewer)

    def why_not(self: CubeFarm, seen: FarmView, move: Orders) -> Refusal | None:
        refusal = real(self, seen, move)
        held = sorted(truths[-1].table.hand_of(1))
        return refusal and replace(refusal, params={**refusal.params, "held": held})

    patch.setattr(view, "view_of", look)
    patch.setattr(CubeFarm, "why_not", why_not)


PLANTS: dict[str, tuple[Plant, str]] = {
    "a hand": (view_with(a_hand), "view"),
    "the order of a hand": (view_with(hands_as_they_lie), "view"),
    "the next card": (view_with(the_next_card), "view"),
    "who has sent": (view_with(who_has_sent), "view"),
    "what was sent": (view_with(what_was_sent), "view"),
    "what will be spent": (view_with(what_will_be_spent), "view"),
    "an entry for all": (played(an_entry_for_all), "record"),
    "the length of orders": (played(its_length), "record"),
    "a dealt card in the record": (dealt_to_all, "record"),
    "a dealt card in the events": (dealt_in_events, "events"),
    "the deal of the next seat": (deal_of_the_next_seat, "record"),
    "a refusal": (refusal_by_the_truth, "errors"),
}


def test_without_a_leak_nothing_is_found() -> None:
    assert outputs_that_tell() == set()


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_leak_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, where = PLANTS[name]
    plant(monkeypatch)
    assert where in outputs_that_tell()
