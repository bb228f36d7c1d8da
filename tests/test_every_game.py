"""What must hold for every registered game, through the public API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest

from openplan.core.game import OPEN, AnyGame, Game, GameError, Seat
from openplan.core.match import Match
from openplan.core.record import read_record, write_record
from openplan.core.registry import all_games
from tests.probes import (
    deck_of,
    every_game,
    find_deck,
    game_named,
    new_match,
    play_on,
    probe_of,
    viewers,
)
from tests.secrecy import differences

GAMES = pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
SEEDS = pytest.mark.parametrize("seed", range(12))


def matches(game: AnyGame, seed: int, count: int) -> Iterator[tuple[Match, Random]]:
    """Matches broken off at any moment, some of them finished."""
    for number in range(count):
        rng = Random(f"{game.name} {seed} {number}")
        match = new_match(game, rng)
        play_on(match, rng, rng.choice([*range(0, 15, 2), *range(20, 80, 12), 1000]))
        yield match, rng


def test_there_are_games() -> None:
    assert "human-resources" in all_games()


@GAMES
@SEEDS
def test_every_table_is_in_order_and_replays(game: AnyGame, seed: int) -> None:
    probe = probe_of(game)
    for number in range(4):
        rng = Random(f"{game.name} order {seed} {number}")
        match = new_match(game, rng)
        while match.outcome is None:
            probe.check(match)
            seat, text = probe.random_move(game, match, rng)
            move = game.parse_move(match.deck, text)
            assert game.format_move(match.deck, move) == text
            match.submit(seat, text)
        probe.check(match)
        again = match.at(match.ply)
        assert game.dump(again.state) == game.dump(match.state)
        assert again.outcome == match.outcome


@GAMES
def test_two_seeded_runs_go_in_lock_step(game: AnyGame) -> None:
    runs = []
    for _ in range(2):
        rng = Random(77)
        match = new_match(game, rng)
        play_on(match, rng, 1000)
        runs.append(write_record(match))
    assert runs[0] == runs[1]


@GAMES
@SEEDS
def test_a_record_reads_back_for_every_viewer(game: AnyGame, seed: int) -> None:
    for match, _ in matches(game, seed, 4):
        for viewer in [OPEN, *viewers(game)]:
            text = write_record(match, viewer)
            again = read_record(text, game_named, find_deck)
            if match.outcome is None:
                assert again.viewer == viewer
                data = game.view_data(match.view(viewer))
                assert game.view_data(again.view(viewer)) == data
                assert write_record(again, viewer) == text
            else:
                assert game.dump(again.state) == game.dump(match.state)
                assert write_record(again) == text


@GAMES
def test_a_cut_or_changed_record_is_refused(game: AnyGame) -> None:
    rng = Random(5)
    match = new_match(game, rng)
    play_on(match, rng, 12)
    for viewer in (OPEN, Seat(0)):
        data = write_record(match, viewer).encode()
        for end in range(0, len(data), 7):
            with pytest.raises(GameError):
                read_record(data[:end], game_named, find_deck)
        for place in range(0, len(data), 5):
            changed = bytearray(data)
            changed[place] ^= 1 << rng.randrange(8)
            with pytest.raises(GameError):
                read_record(bytes(changed), game_named, find_deck)


@GAMES
@SEEDS
def test_a_state_survives_as_bytes(game: AnyGame, seed: int) -> None:
    for match, rng in matches(game, seed, 3):
        data = game.dump(match.state)
        again = game.load(match.deck, data)
        assert game.dump(again) == data
        for viewer in [OPEN, *viewers(game)]:
            view = game.view_data(game.view(again, viewer))
            assert view == game.view_data(game.view(match.state, viewer))
        if match.outcome is None:
            seat, text = probe_of(game).random_move(game, match, rng)
            move = game.parse_move(match.deck, text)
            assert game.play(again, seat, move) == game.play(match.state, seat, move)
            assert game.dump(again) == game.dump(match.state)


@GAMES
@SEEDS
def test_determinized_states_give_the_same_view(game: AnyGame, seed: int) -> None:
    for match, rng in matches(game, seed, 4):
        for viewer in viewers(game):
            view = game.view(match.state, viewer)
            data = json.dumps(game.view_data(view))
            for _ in range(3):
                state = game.determinize(view, rng)
                assert json.dumps(game.view_data(game.view(state, viewer))) == data


@GAMES
@SEEDS
def test_options_build_exactly_what_is_not_refused(game: AnyGame, seed: int) -> None:
    """A random walk through the options ends in a move that nothing speaks against, and that can be
    previewed and played."""
    for match, rng in matches(game, seed, 4):
        if match.outcome is not None:
            continue
        seat = min(match.to_act)
        view = match.view(seat)
        for _ in range(6):
            steps: list[str] = []
            while True:
                options = game.options(view, steps)
                if options.whole is not None and (not options.next or rng.random() < 0.5):
                    break
                assert options.next, steps
                steps.append(rng.choice(options.next).value)
            assert options.whole is not None
            move = game.parse_move(match.deck, options.whole)
            assert game.why_not(view, move) is None, options.whole
            preview = game.preview(view, move)
            for event in preview.events:
                for language in ("en", "de"):
                    assert game.say(event.code, event.params, language)
            copy = match.at(match.ply)
            copy.submit(seat, options.whole)


@GAMES
def test_others_have_no_options(game: AnyGame) -> None:
    rng = Random(3)
    match = new_match(game, rng)
    for viewer in viewers(game):
        if viewer not in match.to_act:
            assert game.options(match.view(viewer), []).next == ()
            assert game.options(match.view(viewer), []).whole is None


@GAMES
@SEEDS
def test_two_truths_that_a_viewer_cannot_tell_apart_look_the_same(game: AnyGame, seed: int) -> None:
    """The secrecy test: byte-identical output for whoever cannot know the difference."""
    compared = 0
    for match, rng in matches(game, seed, 8):
        if match.outcome is not None:
            continue
        for viewer in viewers(game):
            found = differences(match, viewer, rng)
            if found is not None:
                assert found == [], (viewer, match.log)
                compared += 1
    assert compared > 3


@GAMES
def test_every_shipped_deck_reads(game: AnyGame) -> None:
    deck = deck_of(game)
    assert find_deck(game, deck.name, deck.hash) == deck


@GAMES
def test_a_game_with_sealed_orders_can_open_them_and_no_other(game: AnyGame) -> None:
    assert game.sealed == (type(game).deadline is not Game.deadline)
