"""`import openplan`: what its examples say, the checked way and the trusting way side by side."""

from __future__ import annotations

import doctest
import subprocess
import sys
from random import Random
from typing import Any

import pytest

import openplan
from openplan import hand
from openplan.core.game import GameError, Illegal, Over, Seat, Unreadable
from openplan.games.cube_farm.text.notation import NOTHING

GAMES = ["cube-farm", "human-resources"]


def test_the_examples_say_what_comes_out() -> None:
    found = doctest.testmod(hand)
    assert found.attempted >= 8
    assert found.failed == 0


@pytest.mark.parametrize("game", GAMES)
def test_twenty_lines_play_a_game(game: str) -> None:
    match = openplan.new_match(game, seed=1)
    rng = Random(1)
    while not match.is_over:
        assert match.turn in match.seats
        match.push_random(rng)
    assert match.turn is None
    assert match.outcome is not None
    assert list(match.legal_moves) == []
    again = openplan.read_match(match.record())
    assert (again.outcome, again.ply, str(again)) == (match.outcome, match.ply, str(match))
    with pytest.raises(Over):
        match.push_text("place P01d E2")


@pytest.mark.parametrize("game", GAMES)
def test_legal_moves_follow_the_match(game: str) -> None:
    match = openplan.new_match(game, seed=2)
    moves = match.legal_moves
    before = list(moves)
    assert len(moves) == len(before) > 10
    assert all(move in moves for move in before[:20])
    assert "dance on the table" not in moves
    match.push_text(before[0])
    assert list(moves) != before
    assert repr(moves).startswith("<LegalMoves: ")


def test_the_same_seed_deals_the_same_cards() -> None:
    one, two, other = (openplan.new_match("human-resources", seed=s) for s in (5, 5, 6))
    assert one.view("A") == two.view("A") != other.view("A")
    assert "Human Resources" in repr(one)
    assert one.board("A") != one.board("B") != one.board()


def test_refusals_leave_everything_as_it_was() -> None:
    match = openplan.new_match("human-resources", seed=7)
    before = match.record()
    for text, kind in (("place M02d E9", Illegal), ("sing", Unreadable)):
        with pytest.raises(kind):
            match.push_text(text)
    with pytest.raises(Unreadable, match="no seat 'C'"):
        match.push_text("place M02d N1", "C")
    with pytest.raises(GameError):
        match.push_text("place M02d N1", "A")
    with pytest.raises(GameError, match="no game"):
        openplan.new_match("chess")
    assert match.record() == before


def test_a_seat_is_shown_what_it_may_know() -> None:
    match = openplan.new_match("human-resources", seed=7)
    own: Any = match.view("A")["hands"]
    others: Any = match.view("B")["hands"]
    assert own != others
    assert match.record("A") != match.record("B") != match.record()


@pytest.mark.parametrize("house", [{}, {"promo": "yes", "idle": "yes", "leave": "yes"}])
@pytest.mark.parametrize("seed", range(8))
def test_human_resources_fast_is_the_same_game(seed: int, house: dict[str, str]) -> None:
    match = openplan.new_match("human-resources", seed=seed, house=house)
    table, rng = match.fast(), Random(seed)
    while not table.is_over:
        assert match.seats[table.turn] == match.turn
        moves = list(table.moves())
        texts = [table.text(move) for move in moves]
        if match.ply % 9 == 0:
            assert sorted(texts) == sorted(match.legal_moves)
            assert [table.packed(text) for text in texts] == moves
        place = rng.randrange(len(moves))
        branch = table.copy()
        branch.push(moves[-1])
        table.push(moves[place])
        match.push_text(texts[place])
        assert table.board.numbers() == match.kept.state.table.numbers()  # type: ignore[attr-defined]
    assert match.outcome is not None
    assert table.points == match.outcome.points


@pytest.mark.parametrize("house", [{}, {"lose-together": "yes"}, {"spend-lost": "yes"}])
@pytest.mark.parametrize("seed", range(4))
def test_cube_farm_fast_is_the_same_game(seed: int, house: dict[str, str]) -> None:
    match = openplan.new_match("cube-farm", seed=seed, house=house)
    table, rng = match.fast(), Random(seed)
    while not table.is_over:
        seat, phases = table.turn, []
        for number in (1, 2, 3):
            decided = []
            for _part in ("card", "employee"):
                moves = table.moves()
                branch = table.copy()
                branch.push(moves[0])
                move = rng.choice(moves)
                text = table.text(move)
                assert move == moves[0] or table.packed(text) == move
                decided.append(text.removeprefix(f"{number}: "))
                table.push(move)
            if any(decided):
                phases.append(f"{number}: {' '.join(decided).strip()}")
        match.kept.submit(Seat(seat), "; ".join(phases) or NOTHING)
    assert match.outcome is not None
    assert table.points == match.outcome.points


def test_what_cannot_be_decided_is_refused() -> None:
    for game, text in (("human-resources", "place P01d E9"), ("cube-farm", "1: employee E9")):
        with pytest.raises(Illegal):
            openplan.new_match(game, seed=1).fast().packed(text)


def test_no_server_is_needed() -> None:
    """Nothing of it is even looked at."""
    script = (
        "import sys, random, openplan\n"
        "match = openplan.new_match('human-resources', seed=1)\n"
        "match.push_random(random.Random(1)); str(match); match.fast()\n"
        "print([name for name in sys.modules if name.split('.')[0] in "
        "('litestar', 'apsw', 'psycopg', 'sqlalchemy', 'msgspec', 'typst', 'aiosmtplib')])"
    )
    said = subprocess.check_output([sys.executable, "-c", script], text=True)
    assert said.strip() == "[]"
