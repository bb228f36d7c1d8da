"""`openplan verify`: what it shows, and that it refuses everything else without a traceback."""

from __future__ import annotations

import ast
import hashlib
import re
from pathlib import Path

import pytest

from openplan.cli import verify
from openplan.core.deal import commitment
from openplan.core.match import Match
from openplan.core.record import write_record
from tests.cli.command import openplan
from tests.cli.test_record_command import A, B, played

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def finished() -> Match:
    return played(3, 1000)


@pytest.fixture
def record(finished: Match, tmp_path: Path) -> Path:
    file = tmp_path / "game.record"
    file.write_bytes(write_record(finished).encode())
    return file


def with_check(text: str) -> str:
    body = text[: text.index("check: ")]
    return f"{body}check: {hashlib.sha256(body.encode()).hexdigest()}\n"


def test_a_finished_record_is_verified_line_by_line(
    capsys: Capture, record: Path, finished: Match
) -> None:
    status, out, err = openplan(capsys, "verify", str(record))
    assert (status, err) == (0, "")
    for line in [
        "game        Human Resources, rules 2, deck house",
        "record      whole: its check line fits",
        f"commitment  {finished.commitment}",
        f"log         {finished.ply} entries, each legal",
        "result      ",
        "Compare the commitment with the one that was published",
    ]:
        assert line in out
    assert (
        "not changed after the start. It does not show that whoever\nran the match did not" in out
    )


def test_the_commitment_is_compared_with_the_one_published(
    capsys: Capture, record: Path, finished: Match
) -> None:
    given = ("verify", str(record), "--commitment")
    status, out, _ = openplan(capsys, *given, finished.commitment.upper())
    assert status == 0
    assert "and is the one given" in out
    assert "Compare" not in out
    status, out, err = openplan(capsys, *given, "0" * 64)
    assert (status, out) == (1, "")
    assert "not the one given" in err


def test_the_commitment_can_be_computed_by_hand(record: Path, finished: Match) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    opened = b"".join(line for line in lines if re.match(rb"salt:|deal ", line))
    assert hashlib.sha256(opened).hexdigest() == finished.commitment


def refused(capsys: Capture, file: Path, reason: str) -> None:
    status, out, err = openplan(capsys, "verify", str(file))
    assert (status, out) == (1, "")
    assert err.startswith(f"{file}: not verified: ")
    assert reason in err
    assert err.count("\n") == 1


def test_another_deal_than_the_committed_one_is_refused(
    capsys: Capture, record: Path, finished: Match
) -> None:
    text = record.read_text("utf-8")
    deck = next(line for line in text.splitlines() if line.startswith("deal deck: "))
    *start, first, second = deck.split()
    record.write_text(with_check(text.replace(deck, " ".join([*start, second, first]))), "utf-8")
    refused(capsys, record, "line 8: the commitment does not fit the salt and the deal")
    # With a commitment to the changed deal the log no longer follows, or the result does.
    assert finished.deal is not None
    deal = {**finished.deal, "deck": (*start[2:], second, first)}
    text = record.read_text("utf-8")
    text = text.replace(finished.commitment, commitment(finished.salt, deal))
    record.write_text(with_check(text), "utf-8")
    refused(capsys, record, "it should read")


def test_a_changed_log_or_result_is_refused(capsys: Capture, record: Path) -> None:
    text = record.read_text("utf-8")
    result = next(line for line in text.splitlines() if line.startswith("result: "))
    for old, new, reason in [
        (result, "result: B wins: A 0, B 99 (points, HR-9.1)", "it should read 'result: "),
        ("\n5. ", "\n6. ", "expected entry 5, not 6"),
        ("\n1. ", "\n1. A place P01d E99\n2. ", "line "),
        ("check: ", "check: x", "changed or cut"),
    ]:
        assert old in text
        changed = text.replace(old, new, 1)
        record.write_text(changed if "check" in old else with_check(changed), "utf-8")
        refused(capsys, record, reason)


def test_an_unfinished_match_opens_nothing(
    capsys: Capture, finished: Match, tmp_path: Path
) -> None:
    file = tmp_path / "game.record"
    for viewer in (A, B, None):
        file.write_bytes(write_record(finished.at(9), viewer).encode())
        refused(capsys, file, "not finished")


def test_a_match_set_up_by_hand_has_no_deal(
    capsys: Capture, finished: Match, tmp_path: Path
) -> None:
    position = {"office": ["DL", "LD"], "hand A": "P01d", "hand B": "P02d"}
    match = Match.from_position(finished.game, finished.deck, None, position)
    match.enter("draw", None)
    file = tmp_path / "position.record"
    file.write_bytes(write_record(match).encode())
    refused(capsys, file, "set up by hand")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "line 1: not a record"),
        (b"\xff\xfe", "not readable as UTF-8"),
        (b"\n" * 2_000_000, "at most"),
        (b"open-plan record 9\n", "record format 9 is not known here"),
    ],
)
def test_anything_else_is_refused(
    capsys: Capture, tmp_path: Path, data: bytes, reason: str
) -> None:
    file = tmp_path / "any.record"
    file.write_bytes(data)
    refused(capsys, file, reason)


def test_what_cannot_be_read_is_refused(capsys: Capture, record: Path, tmp_path: Path) -> None:
    refused(capsys, tmp_path / "missing", "cannot be read")
    refused(capsys, tmp_path, "cannot be read")
    status, _, err = openplan(capsys, "verify", str(record), "--deck", str(tmp_path / "no.toml"))
    assert status == 1
    assert "no.toml" in err


def test_it_stands_apart_from_everything_but_core_and_decks() -> None:
    tree = ast.parse(Path(verify.__file__).read_text("utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {name for name in modules if name and name.startswith("openplan")}
    assert ours
    assert all(re.fullmatch(r"openplan\.(core\.\w+|decks)", name) for name in ours)
