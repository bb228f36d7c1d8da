"""`openplan engine`: every line is answered by a line, whatever is in it."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplan.cli.engine import MAX_LINE, Engine, serve
from openplan.core.game import OPEN
from openplan.core.match import Match
from openplan.core.record import read_record
from openplan.core.registry import all_games, game_named
from openplan.decks import find_deck, shipped_text

POSITION = {
    "office": ["DL", "LD"],
    "hand A": "P01d M03l",
    "hand B": "P03l P04l",
    "deck": "P05d P06d P07l",
    "turn": "A",
}
SET_UP = {"do": "position", "game": "human-resources", "position": POSITION}


def send(*lines: bytes | str | dict[str, Any]) -> list[dict[str, Any]]:
    """The answers to these lines."""
    raw = [
        json.dumps(line).encode()
        if isinstance(line, dict)
        else line.encode()
        if isinstance(line, str)
        else line
        for line in lines
    ]
    out = io.BytesIO()
    serve(io.BytesIO(b"".join(line + b"\n" for line in raw)), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(answers) == len(raw)
    return answers


def test_games_are_described() -> None:
    (answer,) = send({"do": "games"})
    assert [game["name"] for game in answer["games"]] == sorted(all_games())
    for game in answer["games"]:
        assert game["seats"]
        assert game["decks"]


@pytest.mark.parametrize("name", sorted(all_games()))
def test_a_match_is_driven_to_its_end_and_its_record_reads_back(name: str) -> None:
    driver = Engine()

    def ask(**request: Any) -> dict[str, Any]:
        answer = driver.answer(json.dumps(request).encode())
        assert answer["ok"], answer
        return answer

    status = ask(do="new", game=name, seed=5)
    while status["outcome"] is None:
        seat = status["awaited"][0]
        parts = [{"part": part} for part in game_named(name).parts] or [{}]
        moves = ask(do="moves", seat=seat, **parts[-1])["moves"]
        status = ask(do="play", seat=seat, move=moves[len(moves) // 2])
    assert ask(do="outcome")["outcome"] == status["outcome"]
    record = ask(do="record")["record"]
    match = read_record(record, game_named, find_deck)
    assert match.outcome is not None
    assert ask(do="load", record=record)["outcome"] == status["outcome"]
    assert driver.answer(b'{"do": "moves"}')["code"] == "over"


def test_the_same_seed_gives_the_same_deal_and_none_gives_another() -> None:
    new = {"do": "new", "game": "human-resources"}
    look = {"do": "view", "viewer": "all"}
    views = [send({**new, "seed": 4}, look)[1]["view"] for _ in range(2)]
    assert views[0] == views[1]
    assert send(new, look)[1]["view"] != send(new, look)[1]["view"]


def test_a_position_is_set_up_and_played_from() -> None:
    answers = send(
        SET_UP,
        {"do": "moves"},
        {"do": "play", "move": "place P01d E2"},
        {"do": "view", "viewer": "B"},
        {"do": "view", "viewer": "A"},
        {"do": "view", "viewer": "spectator"},
    )
    assert answers[0] == {
        "ok": True,
        "game": "human-resources",
        "to_act": ["A"],
        "awaited": ["A"],
        "outcome": None,
    }
    assert "hire M03l draw" in answers[1]["moves"]
    assert answers[2]["move"] == "place P01d E2"
    assert answers[2]["to_act"] == ["B"]
    assert answers[2]["events"][0]["text"] == "A places P01d on E2"
    assert answers[3]["view"]["hands"]["A"] == ["dark", "light"]
    assert answers[4]["view"]["hands"]["A"] == ["P05d", "M03l"]
    assert answers[5]["view"]["hands"]["B"] == ["light", "light"]


def test_house_rules_are_taken_from_the_request_or_the_position() -> None:
    promo = {**POSITION, "hand A": "X01d"}
    play = {"do": "play", "move": "project X01d"}
    assert send({**SET_UP, "position": {**promo, "promo": "yes"}}, play)[1]["ok"]
    assert send({**SET_UP, "position": promo, "house": {"promo": "yes"}}, play)[1]["ok"]
    assert send({**SET_UP, "position": promo})[0]["code"] == "position"


def test_options_lead_step_by_step_to_a_whole_move() -> None:
    driver = Engine()
    driver.answer(json.dumps(SET_UP).encode())
    steps: list[str] = []
    while True:
        request = json.dumps({"do": "options", "steps": steps}).encode()
        answer = driver.answer(request)
        if answer["whole"]:
            break
        steps.append(answer["next"][0]["value"])
    assert driver.answer(json.dumps({"do": "play", "move": answer["whole"]}).encode())["ok"]


def test_preview_and_why_change_nothing() -> None:
    look = {"do": "view", "viewer": "all"}
    answers = send(
        SET_UP,
        look,
        {"do": "preview", "move": "place P01d E2"},
        {"do": "preview", "move": "place P01d E9"},
        {"do": "why", "move": "place P01d E2"},
        {"do": "why", "move": "place P01d E9"},
        look,
    )
    assert answers[1] == answers[6]
    assert {"square": "E2", "colour": "dark", "face": "P01d"} in answers[2]["view"]["office"]
    assert answers[2]["points"] == 0
    assert answers[3]["code"] == "not-adjacent"
    assert answers[4] == {"ok": True, "legal": True}
    assert (answers[5]["legal"], answers[5]["code"], answers[5]["clause"]) == (
        False,
        "not-adjacent",
        "HR-4.1",
    )


def test_a_scene_comes_as_data_and_as_text() -> None:
    answer = send(SET_UP, {"do": "scene", "viewer": "B"})[1]
    assert len(answer["scene"]["boards"][0]["tiles"]) == 4
    assert "▒▒▒▒" in answer["text"]
    assert "P01d" not in json.dumps(answer)


def test_a_record_for_a_viewer_hides_what_the_viewer_cannot_know() -> None:
    new = {"do": "new", "game": "human-resources", "seed": 2}
    answers = send(new, {"do": "record", "viewer": "A"}, {"do": "record"})
    assert "viewer: A" in answers[1]["record"]
    assert "salt:" not in answers[1]["record"]
    assert read_record(answers[2]["record"], game_named, find_deck).viewer == OPEN


def test_entries_other_than_moves_are_entered() -> None:
    answers = send(SET_UP, {"do": "enter", "kind": "resign", "seat": "A"}, {"do": "outcome"})
    assert answers[1]["outcome"]["winners"] == ["B"]
    assert answers[2]["outcome"]["reason"] == "resign"


def test_an_id_comes_back_with_answers_and_refusals() -> None:
    answers = send({"do": "games", "id": 7}, {"do": "fly", "id": ["x", None]}, {"do": "games"})
    assert answers[0]["id"] == 7
    assert answers[1]["id"] == ["x", None]
    assert "id" not in answers[2]


def test_quit_ends_it_and_empty_lines_are_passed_over() -> None:
    out = io.BytesIO()
    serve(io.BytesIO(b'\n  \n{"do":"quit"}\n{"do":"games"}\n'), out)
    assert out.getvalue() == b'{"ok": true}\n'


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("xx", "not-json"),
        ('{"do": "games"', "not-json"),
        ('{"do": "games", "id": NaN}', "not-json"),
        ('{"do": "games", "id": -Infinity}', "not-json"),
        ('{"do": "games", "id": 1e999}', "not-json"),
        ('{"do": "games", "id": ' + "9" * 5000 + "}", "not-json"),
        ("[" * 100_000, "not-json"),
        ('{"do": "games", "id": ' + "[" * 50 + "]" * 50 + "}", "too-deep"),
        (b'{"do": "\xff"}', "not-utf-8"),
        ('{"do": "\\ud800"}', "not-text"),
        ('{"\\udfff": "games"}', "not-text"),
        ('{"do": "new", "game": "human-resources", "deck": "a\\u0000b"}', "not-text"),
        ("[]", "not-an-object"),
        ("null", "not-an-object"),
        ("{}", "missing"),
        ('{"do": 3}', "wrong-type"),
        ('{"do": "fly"}', "unknown-verb"),
        ('{"do": "new"}', "missing"),
        ('{"do": "new", "game": ["x"]}', "wrong-type"),
        ('{"do": "new", "game": "chess"}', "unknown-game"),
        ('{"do": "new", "game": "human-resources", "seed": "x"}', "wrong-type"),
        ('{"do": "new", "game": "human-resources", "seed": true}', "wrong-type"),
        ('{"do": "new", "game": "human-resources", "seed": -7}', "wrong-type"),
        ('{"do": "new", "game": "human-resources", "house": []}', "wrong-type"),
        ('{"do": "new", "game": "human-resources", "house": {"promo": "x"}}', "house-rule"),
        ('{"do": "new", "game": "human-resources", "deck": "/no/such.toml"}', "deck"),
        ('{"do": "new", "game": "human-resources", "deck": "' + "x" * 99_999 + '"}', "deck"),
        ('{"do": "new", "game": "human-resources", "deck": "' + "x/" * 9_999 + '"}', "deck"),
        ('{"do": "position", "game": "human-resources", "position": {"office": 3}}', "wrong-type"),
        ('{"do": "position", "game": "human-resources", "position": {"x": "y"}}', "position"),
        ('{"do": "load", "record": 3}', "wrong-type"),
        ('{"do": "moves"}', "no-match"),
        ('{"do": "view", "viewer": "A"}', "no-match"),
        (" " * (MAX_LINE + 5) + "{}", "too-long"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_bad_line_is_refused_by_code_and_the_next_is_answered(
    line: str | bytes, code: str
) -> None:
    answers = send(line, {"do": "games"})
    assert answers[0]["ok"] is False
    assert answers[0]["code"] == code
    assert set(answers[0]) <= {"ok", "code", "reason", "clause", "id"}
    assert len(answers[0]["reason"]) < 1000
    assert answers[1]["ok"] is True


@pytest.mark.parametrize(
    ("request_", "code", "clause"),
    [
        ({"do": "play", "move": "place P01d E9"}, "not-adjacent", "HR-4.1"),
        ({"do": "play", "move": "place P03l E2"}, "not-in-hand", "HR-3.1"),
        ({"do": "play", "move": "plac"}, "unreadable", ""),
        ({"do": "play", "move": "place P03l E2", "seat": "B"}, "not-your-turn", ""),
        ({"do": "play", "move": "place P01d E2", "seat": "C"}, "no-seat", ""),
        ({"do": "play", "move": 3}, "wrong-type", ""),
        ({"do": "play"}, "missing", ""),
        ({"do": "view", "viewer": "Z"}, "viewer", ""),
        ({"do": "options", "steps": "P01d"}, "wrong-type", ""),
        ({"do": "enter", "kind": "fly"}, "kind", ""),
        ({"do": "enter", "kind": "take-back", "seat": "A", "text": "1"}, "no-entry", ""),
        ({"do": "new", "game": "chess"}, "unknown-game", ""),
    ],
    ids=str,
)
def test_a_refused_request_leaves_the_match_as_it_was(
    request_: dict[str, Any], code: str, clause: str
) -> None:
    look = {"do": "view", "viewer": "all"}
    answers = send(SET_UP, look, request_, look)
    assert (answers[2]["ok"], answers[2]["code"], answers[2]["clause"]) == (False, code, clause)
    assert answers[1] == answers[3]


def test_a_fault_of_the_program_itself_is_a_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> Match:
        raise ZeroDivisionError

    monkeypatch.setattr(Match, "start", broken)
    answers = send({"do": "new", "game": "human-resources"}, {"do": "games"})
    assert answers[0]["code"] == "internal"
    assert answers[1]["ok"]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("verb", ["new", "position", "load"])
def test_a_deck_is_a_regular_file_and_nothing_that_must_be_waited_for(
    verb: str, tmp_path: Path
) -> None:
    fifo = tmp_path / "fifo.toml"
    os.mkfifo(fifo)
    record = send({"do": "new", "game": "human-resources"}, {"do": "record"})[1]["record"]
    request = {**SET_UP, "do": verb, "record": record}
    for path in (fifo, tmp_path, "/dev/null", "/dev/zero", "/dev/ptmx"):
        answers = send({**request, "deck": str(path)}, {"do": "games"})
        assert answers[0]["code"] == "deck"
        assert answers[0]["reason"].endswith(f"{path}: cannot be read: not a regular file")
        assert answers[1]["ok"]
    (tmp_path / "good.toml").write_text(shipped_text(game_named("human-resources"), "house"))
    assert send({**request, "deck": str(tmp_path / "good.toml")})[0]["ok"]


@pytest.mark.timeout(60)
def test_a_deck_never_comes_from_where_the_requests_come_from() -> None:
    """Reading it would wait for the requests' end, or take some of them."""
    lines = [{"do": "new", "game": "human", "deck": "/dev/stdin"}, {"do": "games"}, {"do": "quit"}]
    with subprocess.Popen(
        [sys.executable, "-c", "from openplan.cli.main import main; main()", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        process.stdin.flush()  # and not closed: nobody says that no more is to come
        answers = [json.loads(process.stdout.readline()) for _ in lines]
    assert [answer["ok"] for answer in answers] == [False, True, True]
    assert "not a regular file" in answers[0]["reason"]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"hand B": ""}, r"hand B: nobody is without a card.*\[HR-3.1\]"),
        ({"hand A": ""}, r"hand A: nobody is without a card.*\[HR-3.1\]"),
        ({"hand A": "", "turn": "B"}, r"hand A: nobody is without a card.*\[HR-3.1\]"),
        ({"deck": "", "hiring": "M07d", "plays": "1"}, r"'plays': none is left.*\[HR-3.2\]"),
        ({"at": "E9999S9999"}, "more than 9000 squares away"),
        ({"at": "W9001"}, "more than 9000 squares away"),
        ({"at": "N9001"}, "more than 9000 squares away"),
        ({"at": "E10000"}, "is not a square"),
        ({"office": "D" * 500_000}, "not enough cards for this office"),
    ],
)
def test_an_office_that_cannot_be_is_refused(more: dict[str, str], says: str) -> None:
    (answer,) = send({**SET_UP, "position": {**POSITION, **more}})
    assert answer["code"] == "position"
    assert re.search(says, answer["reason"]), answer


@pytest.mark.parametrize("at", ["W9000N9000", "E8999S8999"])
def test_however_far_away_an_office_lies_every_move_of_it_can_be_read(at: str) -> None:
    hand = {"hand A": "P01d M01d M02d M04d M05l M06l"}
    driver = Engine()
    answer = driver.answer(
        json.dumps({**SET_UP, "position": POSITION | hand | {"at": at}}).encode()
    )
    assert answer["ok"], answer
    moves = driver.answer(b'{"do": "moves"}')["moves"]
    assert len(moves) > 50
    for move in moves:
        assert driver.answer(json.dumps({"do": "why", "move": move}).encode())["legal"]


def test_a_position_without_a_deck_is_over() -> None:
    over = {**POSITION, "deck": "", "hand B": "", "scored B": "P10d"}
    answers = send({**SET_UP, "position": over}, {"do": "moves"}, {"do": "moves", "seat": "A"})
    assert answers[0]["to_act"] == answers[0]["awaited"] == []
    assert answers[0]["outcome"]["winners"] == ["B"]
    assert answers[1]["code"] == "over"
    assert answers[2]["moves"] == []


VERBS = sorted(Engine()._verbs)
WORDS = st.sampled_from(
    [
        "human-resources",
        "cube-farm",
        "A",
        "B",
        "all",
        "spectator",
        "place P01d E2",
        "hire M03l draw",
        "P01d",
        "house",
        "promo",
        "yes",
        "DL",
        "E2",
        "take-back",
        "resign",
        "draw",
        "pause",
        "1",
    ]
)
FIELDS = st.sampled_from(
    [
        "game",
        "deck",
        "house",
        "seed",
        "position",
        "record",
        "steps",
        "move",
        "seat",
        "viewer",
        "kind",
        "text",
        "office",
        "at",
        "faces",
        "hand A",
        "play B",
        "turn",
        "plays",
        "hiring",
        "draw top",
        "at top",
        "employees middle",
        "floor basement",
        "orders S",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(FIELDS | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)
REQUESTS = st.builds(
    lambda verb, fields: json.dumps({"do": verb, **fields}).encode("utf-8", "surrogatepass"),
    st.sampled_from([verb for verb in VERBS if verb != "quit"]) | VALUES,
    st.dictionaries(FIELDS, VALUES, max_size=5),
)
GARBAGE = st.binary(max_size=60).map(lambda raw: raw.replace(b"\n", b"")) | VALUES.map(
    lambda value: json.dumps(value).encode()
)


@settings(max_examples=300, deadline=None)
@given(st.lists(REQUESTS | GARBAGE, max_size=12))
def test_garbage_is_answered_line_by_line_and_never_by_a_fault_of_ours(lines: list[bytes]) -> None:
    lines = [line for line in lines if line.strip()]
    for answer in send(SET_UP, *lines, {"do": "games"}):
        assert answer["ok"] is True or answer["code"] != "internal", answer
        if not answer["ok"]:
            assert answer["code"]
            assert answer["reason"]


HANDS = st.sampled_from(["", "none", "P01d", "M07l", "P01l M01d", "M05l Q02l", "X02d P03l"])
POSITIONS = st.fixed_dictionaries(
    {},
    optional={
        "office": st.lists(st.text("DL.", max_size=4), max_size=4),
        "at": st.sampled_from(["0", "W1", "E250", "N9000", "S9001", "E9999S9999", "E10000"]),
        "hand A": HANDS,
        "hand B": st.sampled_from(["", "P04l", "m08D P05d", "Q01d M02d"]),
        "deck": st.sampled_from(["", "P10d", "P10d P11l M03d"]),
        "discard": st.sampled_from(["", "M09d"]),
        "play B": st.sampled_from(["", "P12l", "P12l P13d"]),
        "turn": st.sampled_from(["A", "B", "C"]),
        "hiring": st.sampled_from(["", "M07d"]),
        "plays": st.sampled_from(["0", "1", "2"]),
        "promo": st.sampled_from(["no", "yes"]),
    },
)


@settings(max_examples=300, deadline=None)
@given(POSITIONS)
def test_a_position_is_refused_or_whoever_is_to_act_can(position: dict[str, Any]) -> None:
    driver = Engine()

    def ask(**request: Any) -> dict[str, Any]:
        return driver.answer(json.dumps(request).encode())

    status = ask(do="position", game="human-resources", position=position)
    if not status["ok"]:
        assert status["code"] in ("position", "house-rule"), status
        return
    for _ in range(4):
        assert (status["outcome"] is None) == bool(status["to_act"])
        moves = {seat: ask(do="moves", seat=seat)["moves"] for seat in ("A", "B")}
        assert [seat for seat in moves if moves[seat]] == status["to_act"]
        if not status["to_act"]:
            return
        (seat,) = status["to_act"]
        status = ask(do="play", seat=seat, move=moves[seat][-1])
        assert status["ok"], status
