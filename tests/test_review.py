"""The review of a match: judged by what could be known, fair luck, nothing before the end."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import openplan
from openplan.cli.main import app
from openplan.core.game import Illegal, Seat
from openplan.games.human_resources.cards import number_of, shown
from openplan.games.human_resources.state import eye
from openplan.hand import OpenMatch
from openplan.review import SOUND, Review, _best, _chances, fortunes_of, judged, review
from openplan.review.words import as_data

SHALLOW = 100


def finished(seed: int, *bots: str) -> OpenMatch:
    match, rng = openplan.new_match("human-resources", seed=f"review {seed}"), Random(seed)
    while (turn := match.turn) is not None:
        match.push_bot(bots[match.seats.index(turn)], rng)
    return match


@pytest.fixture(scope="module")
def played() -> OpenMatch:
    return finished(1, "greedy", "random")


@pytest.fixture(scope="module")
def found(played: OpenMatch) -> Review:
    return review(played.kept, SHALLOW)


def test_every_decision_and_every_draw_once(played: OpenMatch, found: Review) -> None:
    assert [one.number for one in found.decisions] == list(range(1, played.ply + 1))
    for one in found.decisions:
        assert 0 <= one.after <= 1
        assert 0 <= one.before <= 1
        assert one.cost == max(0, one.before - one.after)
        assert (one.best == one.move) <= (one.cost == 0)
    # The deal, then one card in each turn; no more is told of those at the very end.
    assert [one.fortune.what for one in found.draws if one.number == 0] == ["deal", "deal"]
    assert {one.number for one in found.draws} <= set(range(played.ply))
    assert len(found.draws) > played.ply // 2
    sums = found.sums()
    assert sum(one.decisions for one in sums) == played.ply
    assert sum(one.luck for one in sums) == pytest.approx(
        sum(one.fortune.points for one in found.draws)
    )
    assert len(found.moments()) <= 3


def test_what_was_taken_back_brought_no_luck(played: OpenMatch) -> None:
    """Rolled back to the start and played again: every draw counts once."""
    luck = [fortune for _, fortune in fortunes_of(played.kept)]
    twice = openplan.new_match("human-resources", seed="review 1").kept
    moves = [(entry.of_seat(), entry.text) for entry in played.kept.log]
    for seat, text in moves[:6]:
        twice.submit(seat, text)
    twice.enter("roll-back", None, "1")
    for seat, text in moves:
        twice.submit(seat, text)
    assert [fortune for _, fortune in fortunes_of(twice)] == luck


def test_the_same_record_is_judged_the_same(played: OpenMatch, found: Review) -> None:
    again = openplan.read_match(played.record())
    assert review(again.kept, SHALLOW) == found


def test_it_can_be_made_by_parts(played: OpenMatch, found: Review) -> None:
    """As a server makes it: each entry comes out as it does in one go."""
    whole = found.entries
    for first in (0, 1, 7, played.ply):
        assert next(judged(played.kept, SHALLOW, first)) == whole[first]


def test_the_graph_leads_from_an_even_chance_to_the_result(
    played: OpenMatch, found: Review
) -> None:
    assert [one.number for one in found.entries] == list(range(played.ply + 1))
    for one in found.entries:
        assert sum(one.chances) == pytest.approx(1)
    assert 0.3 < found.entries[0].chances[0] < 0.7
    outcome = played.kept.outcome
    assert outcome is not None
    assert [seat for seat in (0, 1) if found.entries[-1].chances[seat] == 1] == [*outcome.winners]


def test_the_graph_is_a_spectators(played: OpenMatch) -> None:
    """Another truth behind the same public view gives the same point."""
    game = played.game
    for ply in (6, 15):
        then, other = played.kept.at(ply), played.kept.at(ply)
        other._table.state = game.determinize(then.view(None), Random(ply))
        assert game.view(other.state, None) == game.view(then.state, None)
        assert game.dump(other.state) != game.dump(then.state)
        assert _chances(then, SHALLOW) == _chances(other, SHALLOW)


def test_sums_follow_from_what_was_found(played: OpenMatch, found: Review) -> None:
    outcome = played.kept.outcome
    assert outcome is not None
    one, two = found.sums()
    assert one.margin == outcome.points[0] - outcome.points[1] == -two.margin
    assert one.adjusted == pytest.approx(one.margin - one.luck + two.luck)
    assert one.adjusted == pytest.approx(-two.adjusted)
    for seat in (one, two):
        own = [move for move in found.decisions if move.seat == seat.seat]
        kept = sum(move.before - move.cost for move in own)
        assert seat.accuracy == pytest.approx(kept / sum(move.before for move in own))


def test_who_plays_at_random_pays_for_it() -> None:
    one, two = review(finished(1, "clerk", "random").kept, SHALLOW).sums()
    assert two.cost / two.decisions > 2 * one.cost / one.decisions
    assert two.accuracy < one.accuracy


def test_a_decision_is_judged_by_what_could_be_known(played: OpenMatch) -> None:
    """Another truth behind the same view changes nothing."""
    game = played.game
    for ply in (5, 12, 20):
        then = played.kept.at(ply)
        view = then.view(min(then.awaited))
        other = game.view(game.determinize(view, Random(ply)), min(then.awaited))
        moves = game.moves(view)[:2]
        assert game.judge(view, moves, SHALLOW, 1) == game.judge(other, moves, SHALLOW, 1)


def test_nothing_before_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("human-resources", "cube-farm"):
        match = openplan.new_match(name, seed=3)
        match.push_bot("random", Random(1))
        with pytest.raises(Illegal, match="once it is over"):
            review(match.kept)
    farm = openplan.new_match("cube-farm", seed=3)
    while not farm.is_over:
        farm.push_text("nothing")
    monkeypatch.setattr(type(farm.game), "evaluator", "")
    with pytest.raises(Illegal, match="nothing that judges"):
        review(farm.kept)


def test_sealed_orders_that_were_replaced_are_no_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """And three seats that act together have chances that make one."""
    monkeypatch.setattr("openplan.review.LOOKS", 1)
    farm, rng = openplan.new_match("cube-farm", seed=4), Random(4)
    farm.push_text("nothing", "S")
    farm.push_bot("random", rng)
    farm.push_text("nothing", "S")
    while not farm.is_over:
        farm.push_bot("random", rng)
    found = review(farm.kept, SHALLOW)
    numbers = [one.number for one in found.decisions]
    assert len(numbers) == 15
    assert 1 not in numbers
    assert [one.fortune.seat for one in found.draws] == [0, 1, 2] * 5
    for one in found.entries:
        assert sum(one.chances) == pytest.approx(1)
    assert all(move.cost == 0 for move in found.decisions if move.best == move.move)
    told = as_data(farm.game, found, "de")
    costly = [one for one in told["decisions"] if one["cost"] >= SOUND]
    assert costly
    assert all("hatte auf der Hand" in one["truth"] for one in costly)
    assert {one["error"] > 0 for one in told["draws"]} == {True}
    assert sum(row["margin"] for row in told["seats"]) < 0


def given_up(entries: int) -> OpenMatch:
    """A match with so many moves at random."""
    match, rng = openplan.new_match("human-resources", seed="given up"), Random(2)
    while match.ply < entries:
        match.push_bot("random", rng)
    match.kept.enter("resign", Seat(0))
    return match


def test_as_a_command(tmp_path: Path) -> None:
    file = tmp_path / "game.record"
    file.write_text(given_up(6).record())
    run = CliRunner()
    said = run.invoke(app, ["review", str(file), "--depth", "200", "--json"])
    assert said.exit_code == 0, said.output
    found = json.loads(said.output)
    assert list(found) == [
        *("game", "evaluator", "depth", "graph", "decisions", "draws", "moments", "seats"),
    ]
    assert list(found["graph"][0]) == ["entry", "chances"]
    assert list(found["decisions"][0]) == [
        *("entry", "seat", "move", "best", "before", "after", "cost", "why", "truth"),
        "best_events",
    ]
    assert list(found["draws"][0]) == ["entry", "seat", "what", "luck", "error", "among"]
    assert list(found["seats"][0]) == [
        *("seat", "decisions", "cost", "sound", "accuracy", "luck", "margin", "adjusted"),
    ]
    words = run.invoke(app, ["review", str(file), "--depth", "200"]).output
    assert re.search(r"Accuracy \d+: of the chances", words)
    assert re.search(r"Margin [+-]\d+: luck [+-]\d+\.\d, skill [+-]\d+\.\d\.", words)
    assert "Better was (" in words
    assert max(map(len, words.splitlines())) <= 80
    german = run.invoke(app, ["review", str(file), "--depth", "200", "--language", "de"]).output
    assert "Besser war (" in german


WHY = (
    r"(completes|meets) [PQ]\d\d[dl] for \d|short of complete|into play|keeps|could follow|as good"
)


def test_what_is_told_of_a_decision_in_both_languages(played: OpenMatch, found: Review) -> None:
    """In the game's own words: why the better move was better, and what nobody could know."""
    english, german = (as_data(played.game, found, one)["decisions"] for one in ("en", "de"))
    costly = [one for one in english if one["cost"] >= SOUND]
    assert len(costly) > 3
    for one, other in zip(english, german, strict=True):
        assert bool(one["why"]) == (one["best"] != one["move"])
        assert (one["why"] == other["why"]) == (not one["why"])
    for one in costly:
        assert re.search(WHY, one["why"]), one["why"]
        then = played.kept.at(one["entry"] - 1)
        seat, state = played.game.seats.index(one["seat"]), then.state
        hidden = [shown(card) for card in state.table.hand_of(1 - seat)]
        for card in hidden:
            known = state.known[number_of(card)] & eye(Seat(seat))
            assert (card in (one["truth"] or "")) == (not known)


def test_reasons_are_from_what_could_be_known(played: OpenMatch) -> None:
    game, kept = played.game, played.kept
    for ply in (8, 14, 22):
        then = kept.at(ply)
        seat = min(then.awaited)
        view = then.view(seat)
        other = game.view(game.determinize(view, Random(ply)), seat)
        made = game.parse_move(kept.deck, kept.log[ply].text)
        for best in game.moves(view)[::7]:
            assert game.reasons(view, best, made) == game.reasons(other, best, made)


def test_an_only_move_is_judged_like_any_other(
    played: OpenMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search does not look into it and tells something that is no chance."""
    game, then = played.game, played.kept.at(5)
    view = then.view(min(then.awaited))
    found = game.search(view, None, SHALLOW, 1)
    assert _best(game, view, SHALLOW, 1) == found[0]
    (move, _), *_ = found
    monkeypatch.setattr(type(game), "search", lambda *_: [(move, 0.999)])
    assert _best(game, view, SHALLOW, 1) == (move, *game.judge(view, [move], SHALLOW, 1))
