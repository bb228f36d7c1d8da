"""Tournaments: seats and deals change places, and a match's number decides all about it."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from openplan.arena import tournament
from openplan.arena.tournament import Kept, Result, Terms, play_match, run
from openplan.core.game import AnyGame, GameError
from openplan.core.match import Match
from openplan.core.registry import all_games
from openplan.decks import deck_file
from tests.cli.command import openplan

GAMES = sorted(all_games().values(), key=lambda game: game.name)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def terms_of(game: AnyGame, *bots: str, seed: int = 0) -> Terms:
    return Terms(game.name, deck_file(game)[0], bots, seed)


def random_bots(game: AnyGame) -> tuple[str, ...]:
    return ("random",) * (len(game.seats) - 1)


@every_game
def test_every_bot_has_every_seat_with_the_same_deal(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    deals = []
    start = Match.start

    def noted(*args: object, **kwargs: object) -> Match:
        match = start(*args, **kwargs)  # type: ignore[arg-type]
        deals.append(match.deal)
        return match

    monkeypatch.setattr(Match, "start", noted)
    terms = terms_of(game, "greedy", *random_bots(game))
    seats = len(game.seats)
    assert terms.games_from(1) == seats
    results = run(terms, seats + 1)
    assert len(results) == 2 * seats
    assert [result.seats_of("greedy") for result in results[:seats]] == [
        [-turn % seats] for turn in range(seats)
    ]
    assert all(deal == deals[0] for deal in deals[:seats])
    assert all(deal == deals[seats] for deal in deals[seats:])
    assert deals[0] != deals[seats]


def test_a_pool_meets_all_against_all() -> None:
    terms = terms_of(GAMES[-1], "greedy", "random", "cmd:x")
    assert len(terms.tables) == 6
    assert len(set(terms.tables)) == 6


@every_game
def test_results_are_the_same_however_many_work(game: AnyGame) -> None:
    terms = terms_of(game, "greedy", *random_bots(game))
    alone = run(terms, 6)
    assert run(terms, 6, workers=2) == alone
    assert run(terms_of(game, *terms.bots, seed=1), 6) != alone


@every_game
def test_a_stopped_tournament_goes_on(game: AnyGame, tmp_path: Path) -> None:
    terms = terms_of(game, "greedy", *random_bots(game))
    whole = run(terms, 6)
    kept = Kept(tmp_path / "kept", terms)
    assert kept.read() == []
    kept.write([whole[4], whole[1]])
    before = kept.read()
    assert before == [whole[1], whole[4]]
    played: list[int] = []
    assert run(terms, 6, before=before, on_result=lambda new: played.append(len(new))) == whole
    assert played == [3, 4, 5, 6]
    with pytest.raises(GameError, match="on other terms: seed differ"):
        Kept(tmp_path / "kept", terms_of(game, *terms.bots, seed=1)).read()
    (tmp_path / "kept").write_text("{")
    with pytest.raises(GameError, match="cannot be read"):
        kept.read()
    (tmp_path / "kept").write_text("{}")
    with pytest.raises(GameError, match="does not hold results"):
        kept.read()


def test_an_aim_ends_it_at_the_same_match_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = terms_of(GAMES[-1], "greedy", *random_bots(GAMES[-1]))

    def always_won(terms: Terms, number: int) -> Result:
        bots = terms.tables[number % len(terms.tables)]
        points = tuple(int(bot == "greedy") for bot in bots)
        return Result(number, bots, (bots.index("greedy"),), points, 1, "points")

    monkeypatch.setattr(tournament, "play_match", always_won)
    results = run(terms, 400, aim=0.5)
    assert 4 <= len(results) < 20
    everything = [always_won(terms, number) for number in range(400)]
    assert run(terms, 400, aim=0.5, before=everything) == results


def test_without_ray_the_command_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    name = GAMES[-1].name
    bots = ",".join(["random", *random_bots(GAMES[-1])])
    result = openplan(capsys, "arena", name, "--bots", bots, "--games", "2", "--ray")
    assert result.status == 2
    assert "requirements/ray.txt" in result.err


@every_game
def test_the_command_tells_people_and_tools(
    capsys: pytest.CaptureFixture[str], game: AnyGame
) -> None:
    bots = ",".join(["greedy", *random_bots(game)])
    command = ["arena", game.name, "--bots", bots, "--games", "3", "--workers", "1"]
    told = openplan(capsys, *command).out
    assert "95% interval" in told
    assert "greedy" in told
    data = json.loads(openplan(capsys, *command, "--json").out)
    size = len(game.seats)
    assert data["games"] == len(data["results"]) == -(-3 // size) * size
    again = play_match(terms_of(game, *bots.split(",")), 1)
    assert data["results"][1]["points"] == list(again.points)


def test_a_stopped_command_keeps_what_it_has(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    name = GAMES[-1].name
    bots = ",".join(["greedy", *random_bots(GAMES[-1])])
    # Where the tests themselves run in the background, interrupts are ignored.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "from openplan.cli.main import main; main()"
    command = [sys.executable, "-c", code, "arena", name]
    command += ["--bots", bots, "--games", "2000", "--workers", "2", "--resume", str(kept)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 60
    while not kept.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "goes on from" in err
    assert "Traceback" not in err
    assert 1 <= len(json.loads(kept.read_text())["results"]) < 2000
