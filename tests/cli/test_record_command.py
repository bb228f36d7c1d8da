"""`openplan record`: the same match from every side, and one clear line for what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from openplan.cli import record as record_command
from openplan.core.deal import seeded
from openplan.core.game import OPEN, Seat
from openplan.core.match import Match
from openplan.core.record import format_outcome, read_record, write_record
from openplan.core.registry import game_named
from openplan.decks import find_deck, load_deck
from tests import tender
from tests.cli.command import openplan

A, B = Seat(0), Seat(1)
Capture = pytest.CaptureFixture[str]


def played(seed: int, plies: int, added: Sequence[str] | None = None) -> Match:
    game = game_named("human-resources")
    names = ["Ann", "Zoë"]
    match = Match.start(game, load_deck(game), secret=seeded(seed), added=added, names=names)
    rng = Random(seed)
    while match.to_act and match.ply < plies:
        (seat,) = match.to_act
        move = rng.choice(game.moves(match.view(seat)))
        match.submit(seat, game.format_move(match.deck, move))
    return match


@pytest.fixture(scope="module")
def finished() -> Match:
    return played(1, 1000)


@pytest.fixture
def record(finished: Match, tmp_path: Path) -> Path:
    file = tmp_path / "game.record"
    file.write_bytes(write_record(finished).encode())
    return file


def test_check_says_what_a_good_record_is(capsys: Capture, record: Path, finished: Match) -> None:
    status, out, err = openplan(capsys, "record", "check", str(record))
    assert (status, err) == (0, "")
    assert f"Human Resources, viewer all, {finished.ply} entries, no fault" in out
    assert out.endswith(f"\nresult: {format_outcome(finished.game, finished.outcome)}\n")


def test_check_names_the_line_of_a_bad_record(capsys: Capture, record: Path) -> None:
    text = record.read_text("utf-8")
    record.write_text(text.replace("viewer: all", "viewer: none"), "utf-8")
    status, out, _ = openplan(capsys, "record", "check", str(record))
    assert status == 1
    assert out == f"{record}: line 7: there is no viewer 'none'; there are: all, spectator, A, B\n"
    record.write_bytes(text.replace("\n", "\r\n").encode())
    assert openplan(capsys, "record", "check", str(record)).status == 1
    record.write_bytes(b"\xff")
    assert openplan(capsys, "record", "check", str(record)).status == 2
    missing = openplan(capsys, "record", "check", str(record) + "x")
    assert (missing.status, missing.out) == (2, "")
    assert "cannot be read" in missing.err


def test_show_draws_what_a_viewer_saw_then(capsys: Capture, record: Path, finished: Match) -> None:
    assert finished.deal is not None
    hand = finished.deal["hand A"]
    for viewer, sees in (("A", True), ("B", False), ("spectator", False), ("all", True)):
        arguments = ("record", "show", str(record), "--viewer", viewer, "--ply", "0")
        status, out, _ = openplan(capsys, *arguments)
        assert status == 0
        assert f"after 0 of {finished.ply} entries, seen by {viewer}" in out
        assert [card in out for card in hand] == [sees] * 3
    status, out, _ = openplan(capsys, "record", "show", str(record))
    assert "The game is over." in out


def test_show_refuses_what_there_is_not(capsys: Capture, record: Path, finished: Match) -> None:
    for more, reason in [
        (("--ply", "5000"), f"the log has entries up to {finished.ply}, not 5000"),
        (("--ply", "-1"), "not -1"),
        (("--viewer", "C"), "there is no viewer 'C'"),
        (("--deck", "nowhere.toml"), "nowhere.toml"),
    ]:
        status, out, err = openplan(capsys, "record", "show", str(record), *more)
        assert (status, out) == (2, "")
        assert reason in err
        assert err.count("\n") == 1


def test_a_viewers_record_shows_only_its_viewer(
    capsys: Capture, finished: Match, tmp_path: Path
) -> None:
    file = tmp_path / "b.record"
    file.write_bytes(write_record(finished.at(9), B).encode())
    status, _, err = openplan(capsys, "record", "show", str(file), "--viewer", "A")
    assert status == 2
    assert "only show that viewer" in err
    status, out, _ = openplan(capsys, "record", "show", str(file), "--ply", "4")
    assert status == 0
    assert "after 4 of 9 entries, seen by B" in out


def test_export_writes_a_viewers_record_byte_for_byte(
    capfdbinary: pytest.CaptureFixture[bytes], record: Path, finished: Match
) -> None:
    from openplan.cli.main import main

    for viewer, seat in (("A", A), ("B", B), ("spectator", None), ("all", OPEN)):
        with pytest.raises(SystemExit) as ended:
            main(["record", "export", str(record), "--viewer", viewer, "--ply", "11"])
        assert ended.value.code == 0
        data = capfdbinary.readouterr().out
        assert data == write_record(finished.at(11), seat).encode()
        assert read_record(data, game_named, find_deck).viewer == seat


def test_replay_tells_every_entry_in_words(capsys: Capture, record: Path, finished: Match) -> None:
    status, out, _ = openplan(capsys, "record", "replay", str(record), "--viewer", "B")
    assert status == 0
    lines = out.splitlines()
    assert "B  Zoë" in lines
    for number, entry in finished.at(finished.ply - 1).told(B):
        place = next(n for n, line in enumerate(lines) if line.startswith(f"{number}. "))
        assert entry.written in lines[place]
        assert lines[place + 1].startswith("    ")
    assert lines[-1].startswith("result: ")
    assert out.count("Human Resources\n") == 2
    assert all(len(line) <= 80 for line in lines if line.startswith("    "))


def test_replay_draws_every_table_if_asked(capsys: Capture, tmp_path: Path) -> None:
    match = played(2, 3)
    match.enter("seat", A, "Anna")
    match.enter("pause", None)
    match.enter("resume", None)
    match.enter("resign", A)
    file = tmp_path / "short.record"
    file.write_bytes(write_record(match).encode())
    status, out, _ = openplan(capsys, "record", "replay", str(file), "--boards")
    assert status == 0
    assert out.count("Human Resources\n") == 8
    for sentence in ("Anna takes seat A.", "The match is paused.", "goes on.", "A resigns."):
        assert sentence in out
    assert "(resign, HR-9)" in out


def test_replay_tells_a_viewer_nothing_that_its_record_does_not(
    capsys: Capture, finished: Match, tmp_path: Path
) -> None:
    file = tmp_path / "all.record"
    match = finished.at(12)
    file.write_bytes(write_record(match).encode())
    for name, viewer in (("spectator", None), ("A", A), ("B", B)):
        _, out, _ = openplan(capsys, "record", "replay", str(file), "--viewer", name)
        told = write_record(match, viewer)
        named = {card for card in match.deck.cards if card in out}
        assert named <= {card for card in match.deck.cards if card in told}
        assert "Secret" not in out


def test_replay_leaves_out_what_a_viewer_is_not_told(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match.start(tender.GAME, tender.DECK, secret=seeded(1))
    for seat in (tender.A, tender.B):
        match.submit(seat, f"bid {match.view(seat).hand[0]}")
    monkeypatch.setattr(record_command, "read_match", lambda file, deck: match)
    _, out, _ = openplan(capsys, "record", "replay", "-", "--viewer", "B")
    assert "1. B bid" in out
    assert "A bid" not in out
    assert "2. " not in out
