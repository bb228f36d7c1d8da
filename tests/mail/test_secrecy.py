"""No letter tells what its reader cannot know: of two games that differ only in that, each reader
gets the same letters to the byte. And leaks that are planted, to see that this shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from openplan.core.game import OPEN, AnyGame, Seat, Viewer
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.mail.outbound import answer_letters, enclosures, table_letters
from openplan.mail.outbound.enclosures import Progress
from openplan.mail.outbound.letter import Block, Letter, Plain, Words, as_html, as_text
from openplan.mail.outbound.table_letters import Reader
from tests.mail.test_letters import TABLE, all_letters, reader
from tests.probes import games, new_match, play_on, probe_of

GAMES = pytest.mark.parametrize("game", games(), ids=lambda game: game.name)


def told(match: Match, seat: Viewer, language: str = "en") -> list[object]:
    """All that reaches a reader: every letter, and all that can be asked for."""
    who = reader(seat, language)
    progress = Progress(None, None, "UTC")
    asked = [
        *table_letters.draw_table(match, who),
        *table_letters.draw_hand(match, who),
        *enclosures.status(match, progress, who, for_master=False),
    ]
    sent = [*all_letters(match, seat, language), Letter("answer", "", asked)]
    return [
        (letter.subject, as_text(letter), as_html(letter), letter.pictures()) for letter in sent
    ]


def truths(game: AnyGame, seeds: range) -> Iterator[tuple[Match, Match, Viewer]]:
    """A match, one that differs from it in what a viewer cannot know, and that viewer."""
    for seed in seeds:
        rng = Random(seed)
        match = new_match(game, rng)
        play_on(match, rng, 3 * seed)
        if match.outcome is not None:  # then everything is open
            continue
        for seat in (None, *map(Seat, range(len(game.seats)))):
            other = probe_of(game).other_truth(match, seat, rng)
            if other is not None:
                yield match, other, seat


@GAMES
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_letter_tells_what_its_reader_cannot_know(game: AnyGame, language: str) -> None:
    compared = 0
    for match, other, seat in truths(game, range(4)):
        assert told(match, seat, language) == told(other, seat, language)
        compared += 1
    assert compared >= 6


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_the_game_master_learns_who_has_sent_and_not_what(game: AnyGame) -> None:
    master, rng = replace(reader(None), is_master=True), Random(2)
    compared = 0
    for _ in range(40):
        match = new_match(game, rng)
        play_on(match, rng, rng.randrange(1, 9))
        other = probe_of(game).other_truth(match, None, rng)
        if other is None or match.outcome is not None or other.awaited != match.awaited:
            continue
        for late in (False, True):
            ours, theirs = (
                as_text(table_letters.master_reminder(one, TABLE, master, late=late))
                for one in (match, other)
            )
            assert ours == theirs
        compared += 1
    assert compared >= 6


# -- Planted leaks ---------------------------------------------------------------------------


class Seeing:
    """A match that shows whoever looks what everybody holds."""

    def __init__(self, match: Match) -> None:
        self._match = match

    def __getattr__(self, name: str) -> Any:
        return getattr(self._match, name)

    def view(self, viewer: Viewer) -> Any:
        return self._match.view(OPEN)

    def eyes(self, viewer: Viewer) -> Viewer:
        return OPEN


def with_all_seen(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    """One part of letters is made from the truth."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = getattr(table_letters, name)
        patch.setattr(table_letters, name, lambda match, *more: real(Seeing(match), *more))

    return plant


def every_hand(patch: pytest.MonkeyPatch) -> None:
    """Beside one's own hand the letter draws the others'."""
    real = table_letters.draw_hand

    def leaky(match: Match, who: Reader) -> Iterator[Block]:
        yield from real(match, who)
        scene = match.game.scene(match.view(OPEN))
        yield from (table_letters._cards(panel, "x") for panel in scene.panels)

    patch.setattr(table_letters, "draw_hand", leaky)


def a_count_of_entries(patch: pytest.MonkeyPatch) -> None:
    """Sealed orders are counted where a letter names the match's own entry."""
    real = table_letters.happened

    def leaky(match: Match, *more: Any) -> Iterator[Block]:
        yield Plain(f":: Entry {match.ply}")
        yield from real(match, *more)

    patch.setattr(table_letters, "happened", leaky)


def who_has_sent(patch: pytest.MonkeyPatch) -> None:
    """A reminder that says who else is waited for, where the table does not."""
    real = table_letters.form

    def leaky(match: Match, who: Reader) -> list[Block]:
        return [Words(str(sorted(match.awaited))), *real(match, who)]

    patch.setattr(table_letters, "form", leaky)


def the_order_of_a_hand(patch: pytest.MonkeyPatch) -> None:
    """How long a letter is depends on what another holds."""
    real = table_letters._times

    def leaky(table: Any, who: Reader, **more: Any) -> list[Block]:
        return [*real(table, who, **more), Words(LAST[0])]

    real_people = table_letters._people

    def remembers(match: Match, who: Reader) -> Block:
        LAST[0] = str(sorted(str(match.view(OPEN).hands)))
        return real_people(match, who)

    patch.setattr(table_letters, "_times", leaky)
    patch.setattr(table_letters, "_people", remembers)


LAST = [""]


def a_forecast_of_all(patch: pytest.MonkeyPatch) -> None:
    """A forecast that knows the other orders."""
    real = enclosures.forecast

    def leaky(match: Match, who: Reader) -> Iterator[Block]:
        yield Words(str([entry.text for entry in match.log]))
        yield from real(match, who)

    patch.setattr("tests.mail.test_letters.forecast", leaky)


def a_history_of_all(patch: pytest.MonkeyPatch) -> None:
    real = enclosures.history
    patch.setattr(
        "tests.mail.test_letters.history",
        lambda match, who, turns: real(match, replace(who, seat=OPEN), turns),
    )


def a_picture_of_all(patch: pytest.MonkeyPatch) -> None:
    """The words are right, and the name of a picture tells."""
    real = table_letters._cards

    def leaky(panel: Any, name: str, **more: Any) -> Any:
        drawn = real(panel, name, **more)
        return replace(drawn, pictures=[replace(one, alt=LAST[0]) for one in drawn.pictures])

    real_hand = table_letters.draw_hand

    def remembers(match: Match, who: Reader) -> Iterator[Block]:
        LAST[0] = str(match.view(OPEN).hands)
        yield from real_hand(match, who)

    patch.setattr(table_letters, "_cards", leaky)
    patch.setattr(table_letters, "draw_hand", remembers)


def a_card_drawn_from_the_truth(patch: pytest.MonkeyPatch) -> None:
    """All words are right, and so are all names; what is drawn is not."""
    real_board, real_table = table_letters.draw_board, table_letters.draw_table

    def remembers(match: Match, who: Reader) -> Iterator[Block]:
        LAST[0] = str(match.view(OPEN).hands)
        yield from real_table(match, who)

    def leaky(board: Any, name: str) -> Any:
        drawn = real_board(board, name)
        return replace(
            drawn, pictures=[replace(one, svg=one.svg + LAST[0]) for one in drawn.pictures]
        )

    patch.setattr(table_letters, "draw_board", leaky)
    patch.setattr(table_letters, "draw_table", remembers)


def a_move_answered_with_all(patch: pytest.MonkeyPatch) -> None:
    """What the mover is told of the move."""
    real: Any = table_letters.position
    patch.setattr(answer_letters, "position", lambda match, who: real(Seeing(match), who))


LEAKS = {
    "a drawing": a_card_drawn_from_the_truth,
    "the mover's answer": a_move_answered_with_all,
    "what happened": with_all_seen("happened"),
    "the table": with_all_seen("draw_table"),
    "the hand": every_hand,
    "entries": a_count_of_entries,
    "who has sent": who_has_sent,
    "a line of hands": the_order_of_a_hand,
    "the forecast": a_forecast_of_all,
    "the history": a_history_of_all,
    "a picture": a_picture_of_all,
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_seen(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[leak](monkeypatch)
    pairs = truths(game_named("cube-farm"), range(4))
    assert any(told(match, seat) != told(other, seat) for match, other, seat in pairs)


@pytest.mark.parametrize("late", [False, True])
def test_a_master_who_is_told_orders_is_seen(late: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        table_letters, "_players", lambda match, _: str([e.text for e in match.log])
    )
    master = replace(reader(None), is_master=True)
    seen = [
        [
            as_text(table_letters.master_reminder(one, TABLE, master, late=late))
            for one in (match, other)
        ]
        for match, other, seat in truths(game_named("cube-farm"), range(6))
        if seat is None and match.awaited == other.awaited
    ]
    assert any(ours != theirs for ours, theirs in seen)
