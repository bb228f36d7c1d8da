"""The secrecy test can fail: each leak planted here is caught by it (threats of views, events,
records, pictures, choices)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from openplan.core import game as core_game
from openplan.core.game import Event, Happening, Secret, Viewer
from openplan.core.match import Match
from openplan.core.scene import Scene
from openplan.games.human_resources import deal, rules, state, view
from openplan.games.human_resources.cards import NUMBER, shown
from openplan.games.human_resources.game import GAME
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.text import scene
from openplan.games.human_resources.view import OfficeView
from tests.probes import new_match, play_on, viewers
from tests.secrecy import differences

Plant = Callable[[pytest.MonkeyPatch], None]


def outputs_that_tell() -> Iterator[set[str]]:
    """For a few dozen unfinished matches, which outputs give something away."""
    for seed in range(40):
        rng = Random(f"leak {seed}")
        match = new_match(GAME, rng)
        play_on(match, rng, rng.randrange(1, 40))
        if match.outcome is None:
            for viewer in viewers(GAME):
                yield set(differences(match, viewer, rng) or ())


def view_with(change: Callable[[Any, Viewer, OfficeView], OfficeView]) -> Plant:
    real = view.view_of

    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(
            view, "view_of", lambda truth, viewer: change(truth, viewer, real(truth, viewer))
        )

    return plant


def hand_as_it_lies(truth: state.State, viewer: Viewer, seen: OfficeView) -> OfficeView:
    """The backs of the other hand in the order in which the faces would be sorted."""
    hands = tuple(
        tuple(
            card
            if card in seen.hands[seat]
            else codes.BLANK_DARK
            if shown(card)[-1] == "d"
            else codes.BLANK_LIGHT
            for card in sorted(truth.table.hand_of(seat), key=lambda c: shown(c)[1:3])
        )
        for seat in (0, 1)
    )
    return replace(seen, hands=(hands[0], hands[1]))


def one_founding_face(truth: state.State, viewer: Viewer, seen: OfficeView) -> OfficeView:
    first = truth.table.cubicles()[0][2]
    square, _, token = seen.office[0]
    return replace(seen, office=((square, first, token), *seen.office[1:]))


def last_of_the_deck(truth: state.State, viewer: Viewer, seen: OfficeView) -> OfficeView:
    return replace(seen, draw_pile=(*seen.draw_pile[:-1], truth.table.deck_list()[-1]))


def next_draw(truth: state.State, viewer: Viewer, seen: OfficeView) -> OfficeView:
    return replace(seen, draw_pile=(truth.table.deck_list()[0], *seen.draw_pile[1:]))


def whole_story(truth: state.State, viewer: Viewer, seen: OfficeView) -> OfficeView:
    return replace(seen, story=tuple(truth.story))


def stock_in_dealt_order(truth: state.State, viewer: Viewer, seen: OfficeView) -> OfficeView:
    told = sorted(seen.story, key=lambda t: truth.story[seen.story.index(t)].card)
    return replace(seen, story=tuple(told))


def spectator_sees_hands(truth: state.State, viewer: Viewer, seen: OfficeView) -> OfficeView:
    if viewer is not None:
        return seen
    hands = tuple(tuple(sorted(truth.table.hand_of(seat))) for seat in (0, 1))
    return replace(seen, hands=(hands[0], hands[1]))


def other_hand_after_a_pick_up(truth: state.State, viewer: Viewer, seen: OfficeView) -> OfficeView:
    if viewer is None or not seen.play[1 - viewer]:
        return seen
    other = tuple(sorted(truth.table.hand_of(1 - viewer)))
    hands = (seen.hands[0], other) if viewer == 0 else (other, seen.hands[1])
    return replace(seen, hands=hands)


def everybody_knows_draws(patch: pytest.MonkeyPatch) -> None:
    real = rules._draw

    def leaky(truth: state.State, seat: int, card: int, clause: str) -> Event:
        event = real(truth, seat, card, clause)
        return replace(event, fact=f"drew {shown(card)}")

    patch.setattr(rules, "_draw", leaky)


def draw_event_names_card(patch: pytest.MonkeyPatch) -> None:
    real = rules._draw

    def leaky(truth: state.State, seat: int, card: int, clause: str) -> Event:
        event = real(truth, seat, card, clause)
        return replace(event, params={**event.params, "card": shown(card)})

    patch.setattr(rules, "_draw", leaky)


def placement_is_written_open(patch: pytest.MonkeyPatch) -> None:
    real = rules.use

    def leaky(truth: state.State, seat: Any, move: Any) -> Any:
        text, event = real(truth, seat, move)
        return (text.text if isinstance(text, Secret) else text), event

    patch.setattr(rules, "use", leaky)


def placement_event_shows_kind(patch: pytest.MonkeyPatch) -> None:
    real = rules.use

    def leaky(truth: state.State, seat: Any, move: Any) -> Any:
        text, event = real(truth, seat, move)
        if move.kind == codes.PLACE and move.cards[0] in NUMBER:
            event = replace(event, clause=truth.deck.card[move.cards[0]].kind)
        return text, event

    patch.setattr(rules, "use", leaky)


def idle_hire_tells_the_hand(patch: pytest.MonkeyPatch) -> None:
    """Somebody hires for no effect, and it is told what they hold instead."""
    real = rules.use

    def leaky(truth: state.State, seat: Any, move: Any) -> Any:
        text, event = real(truth, seat, move)
        if move.kind == codes.IDLE:
            kept = sorted(shown(card) for card in truth.table.hand_of(seat))
            event = replace(event, params={**event.params, "kept": tuple(kept)})
        return text, event

    patch.setattr(rules, "use", leaky)


def left_project_tells_what_was_laid(patch: pytest.MonkeyPatch) -> None:
    """With a project left incomplete the card laid for it is written open."""
    real = rules.use

    def leaky(truth: state.State, seat: Any, move: Any) -> Any:
        text, event = real(truth, seat, move)
        if move.leave and isinstance(text, Secret):
            text = replace(text, cover=text.text)
        return text, event

    patch.setattr(rules, "use", leaky)


def deal_told_whole(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deal, "deal_told", lambda dealt, viewer: dealt)


def deal_told_in_order(patch: pytest.MonkeyPatch) -> None:
    """The backs of a hand in the order of its faces."""
    real = deal.deal_told

    def leaky(dealt: Any, viewer: Viewer) -> Any:
        told = dict(real(dealt, viewer))
        for label in ("hand A", "hand B"):
            if told[label][0] in ("dark", "light"):
                by_face = sorted(dealt[label])
                told[label] = tuple("dark" if c[-1] == "d" else "light" for c in by_face)
        return told

    patch.setattr(deal, "deal_told", leaky)


def version_from_the_truth(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Match, "version", lambda self, viewer: hash(self.game.dump(self.state)) % 100_000)


def cover_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    real = core_game.seen_by
    patch.setattr(
        core_game,
        "seen_by",
        lambda viewer, value: value.text if isinstance(value, Secret) else real(viewer, value),
    )


def picture_shows_faces(patch: pytest.MonkeyPatch) -> None:
    """The picture is drawn from the truth and not from the view."""
    real_view, real_scene = view.view_of, scene.scene_of
    truths: list[state.State] = []

    def remember(truth: state.State, viewer: Viewer) -> OfficeView:
        truths.append(truth)
        return real_view(truth, viewer)

    def leaky(seen: OfficeView, language: str) -> Scene:
        return real_scene(real_view(truths[-1], core_game.OPEN), language)

    patch.setattr(view, "view_of", remember)
    patch.setattr(scene, "scene_of", leaky)


def marks_are_kept(patch: pytest.MonkeyPatch) -> None:
    """HR-10.3 forgotten: who knew a card in a hand knows it as a cubicle too, whichever it was."""

    def leaky(self: state.State, seat: int, card: int, square: Any, hired: int = 127) -> None:
        self.laid[square] = len(self.story)
        self.known[card] |= 7 if len(self.table.hand_of(seat)) > 3 else 0
        self.tell("lay", seat, card)

    patch.setattr(state.State, "lay", leaky)


def arranged_cards_are_told(patch: pytest.MonkeyPatch) -> None:
    """HR-8.4: the story tells everybody which cards were looked at."""

    def leaky(self: state.State, seat: int, before: list[int], after: list[int]) -> None:
        for place, card in enumerate(before):
            self.story.append(state.Told("look", seat, card, state.ALL, place))
            self.mark(card, 1 << seat)
        for place, card in enumerate(after):
            self.tell("put", seat, card, place)

    patch.setattr(state.State, "arrange", leaky)


def refusal_names_the_deck(patch: pytest.MonkeyPatch) -> None:
    """A refusal that depends on the truth: its parameters count something hidden."""
    real_view, real_why = view.view_of, rules._objections
    truths: list[state.State] = []

    def remember(truth: state.State, viewer: Viewer) -> OfficeView:
        truths.append(truth)
        return real_view(truth, viewer)

    def leaky(seen: OfficeView, move: Any) -> Any:
        for refusal in real_why(seen, move):
            yield replace(refusal, params={**refusal.params, "n": truths[-1].table.deck_list()[-1]})

    patch.setattr(view, "view_of", remember)
    patch.setattr(rules, "_objections", leaky)


def event_order_by_face(patch: pytest.MonkeyPatch) -> None:
    """An extra, empty event after the draw of a project: size and order tell the kind."""
    real = rules.play

    def leaky(truth: state.State, seat: Any, move: Any) -> Happening:
        happening = real(truth, seat, move)
        drawn = truth.table.hand_of(seat)[-1:]
        if drawn and shown(drawn[0])[0] == "P":
            return replace(happening, events=(*happening.events, Event("top", "", {"colour": ""})))
        return happening

    patch.setattr(rules, "play", leaky)


PLANTS: dict[str, tuple[Plant, str]] = {
    "hand in the order of faces": (view_with(hand_as_it_lies), "view"),
    "a founding face": (view_with(one_founding_face), "view"),
    "the last card of the deck": (view_with(last_of_the_deck), "view"),
    "the next draw": (view_with(next_draw), "view"),
    "the whole story": (view_with(whole_story), "view"),
    "the story in the order of faces": (view_with(stock_in_dealt_order), "view"),
    "hands for spectators": (view_with(spectator_sees_hands), "view"),
    "the other hand": (view_with(other_hand_after_a_pick_up), "scene"),
    "draws as facts": (everybody_knows_draws, "record"),
    "draws in events": (draw_event_names_card, "events"),
    "placements written open": (placement_is_written_open, "told"),
    "the kind of a placed card": (placement_event_shows_kind, "events"),
    "the hand behind an idle hire": (idle_hire_tells_the_hand, "events"),
    "what is laid where something is left": (left_project_tells_what_was_laid, "told"),
    "the whole deal": (deal_told_whole, "record"),
    "backs in the order of faces": (deal_told_in_order, "record"),
    "a version from the truth": (version_from_the_truth, "version"),
    "covers forgotten": (cover_is_forgotten, "events"),
    "a picture of the truth": (picture_shows_faces, "scene"),
    "marks kept": (marks_are_kept, "view"),
    "cards that another arranges": (arranged_cards_are_told, "view"),
    "a refusal that counts": (refusal_names_the_deck, "errors"),
    "events by face": (event_order_by_face, "events"),
}


def test_without_a_leak_nothing_is_caught() -> None:
    assert not any(outputs_that_tell())


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_leak_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, where = PLANTS[name]
    plant(monkeypatch)
    assert any(where in found for found in outputs_that_tell())
