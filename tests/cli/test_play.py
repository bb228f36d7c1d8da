"""`openplan play`: a session at a screen, with answers given beforehand."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest

from openplan.bots import bot_named
from openplan.cli.play import Session, assign_seats
from openplan.cli.terminal import LeaveError
from openplan.core.deal import seeded
from openplan.core.game import OPEN, AnyGame, Seat
from openplan.core.match import Match
from openplan.core.record import read_record, write_record
from openplan.core.registry import all_games, game_named
from openplan.decks import find_deck, load_deck
from tests.cli.command import openplan

GAME = game_named("human-resources")
DECK = load_deck(GAME)
A, B = Seat(0), Seat(1)
CLEARED = "<cleared>"
CARD = re.compile(r"\b[PMQX]\d\d[dl]\b")
POSITION = {
    "hand A": "P01d M07l P02l",
    "hand B": "P03l P04l",
    "deck": "P05d P06d P07l P08d",
    "discard": "M09d",
}


class Script:
    """A screen whose answers are written beforehand; it keeps what is shown between them."""

    def __init__(self, answers: Iterable[str]) -> None:
        self.answers: Iterator[str] = iter(answers)
        self.shown: list[str] = []

    def show(self, text: str = "") -> None:
        self.shown.append(text)

    def ask(self, prompt: str) -> str:
        self.shown.append(prompt)
        for answer in self.answers:
            return answer
        raise LeaveError

    def clear(self) -> None:
        self.shown.append(CLEARED)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


def at_position(
    *answers: str, hot_seat: bool = False, more: dict[str, str] | None = None
) -> tuple[Match, Script]:
    match = Match.from_position(GAME, DECK, None, {**POSITION, **(more or {})})
    screen = Script(answers)
    players = assign_seats(GAME, [], "", hot_seat)
    Session(match, players, screen, Random(1)).run()
    return match, screen


def test_without_more_you_have_the_first_seat_and_clerk_the_others() -> None:
    players = assign_seats(GAME, [], "", False)
    assert players == {A: None, B: bot_named("clerk")}


def test_seats_are_given_to_people_and_bots() -> None:
    assert assign_seats(GAME, ["B=me"], "random", False) == {A: bot_named("random"), B: None}
    seats = ["a=bot:random", "B=bot:greedy"]
    assert assign_seats(GAME, seats, "", False) == {A: bot_named("random"), B: bot_named("greedy")}
    assert assign_seats(GAME, [], "", True) == {A: None, B: None}


def test_a_typed_move_is_played_and_the_bot_answers_in_sentences() -> None:
    match, screen = at_position("place P01d E2")
    assert [entry.seat for entry in match.log] == [A, B]
    assert match.log[0].text == "place P01d E2"
    assert "A places P01d on E2. A draws P05d." in screen.text
    assert re.search(r"\nB (places|starts|hires)", screen.text)


def test_nothing_of_the_others_hand_or_the_deck_is_ever_shown() -> None:
    answers = ["moves", "hint", "board", "b hand", "deck", "preview place P01d E2", "?", ""]
    _, screen = at_position(*answers)
    hidden = {"P03l", "P04l", "P05d", "P06d", "P07l", "P08d"}
    assert not hidden & set(CARD.findall(screen.text))
    assert "B hand: [] []" in screen.text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("place P01d E9", "[HR-4.1]"),
        ("place P03l E2", "P03l is not in your hand"),
        ("plac P01d E2", "'plac' is not one of place"),
        ("preview place P01d E9", "does not share a wall with another cubicle [HR-4.1]"),
        ("preview nonsense", "'nonsense' is not one of place"),
        ("card P99d", "there is no card 'P99d'"),
        ("undo", "there is no move of yours to take back"),
        ("save", "say where: save FILE"),
        ("save /no/such/folder/x", "/no/such/folder/x cannot be written"),
        ("", "A> "),
    ],
)
def test_bad_input_is_answered_with_the_reason_and_asked_again(typed: str, said: str) -> None:
    match, screen = at_position(typed, "place P01d E2")
    assert said in screen.text
    assert match.log[0].text == "place P01d E2"


def test_a_move_is_built_from_menus_by_number_or_name_with_a_way_back() -> None:
    match, screen = at_position("?", "1", "b", "9", "p01d", "place", "E2")
    assert match.log[0].text == "place P01d E2"
    assert "There is no 9 in this menu." in screen.text
    assert "P01d  Corner Desk" in screen.text
    assert "-> place P01d E2" in screen.text


def test_the_menu_can_be_left_without_a_move() -> None:
    match, _ = at_position("?", "1", "")
    assert match.ply == 0


def test_a_move_or_a_command_typed_into_the_menu_is_meant() -> None:
    match, screen = at_position("?", "1", "place P01d E2")
    assert match.log[0].text == "place P01d E2"
    match, screen = at_position("?", "nonsense", "?", "quit", "place P01d E2")
    assert "'nonsense' is not one of place" in screen.text
    assert match.ply == 0


def test_the_menu_offers_a_move_that_is_whole_but_may_go_on() -> None:
    hand = {"promo": "yes", "hand A": "P01d X02d M01d", "play A": "P10d"}
    rows = ["DL", "LD"]
    match = Match.from_position(GAME, DECK, None, {**POSITION, **hand, "office": rows})
    texts = [GAME.format_move(DECK, move) for move in GAME.moves(match.view(A))]
    long = next(text for text in texts if text.startswith("place P01d") and "overtime" in text)
    square = long.split()[2]
    screen = Script(["?", "P01d", "place", square, "0"])
    Session(match, assign_seats(GAME, [], "", False), screen, Random(1)).run()
    assert match.log[0].text == f"place P01d {square}"
    assert f"0  play it so: place P01d {square}" in screen.text


def test_moves_are_listed_all_or_by_a_word() -> None:
    _, screen = at_position("moves", "moves p01d")
    counts = [int(n) for n in re.findall(r"^Moves: (\d+)$", screen.text, re.MULTILINE)]
    assert counts == [len(GAME.moves(Match.from_position(GAME, DECK, None, POSITION).view(A))), 9]


def test_a_hint_tells_good_moves_with_chances() -> None:
    _, screen = at_position("hint")
    moves = GAME.moves(Match.from_position(GAME, DECK, None, POSITION).view(A))
    hints = re.findall(r"^ *(\d+)% to win  (.+)$", screen.text, re.MULTILINE)
    assert len(hints) == 3
    assert {text for _, text in hints} <= {GAME.format_move(DECK, move) for move in moves}
    chances = [int(chance) for chance, _ in hints]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= chance <= 100 for chance in chances)


def test_a_preview_plays_nothing() -> None:
    match, screen = at_position("preview place P01d E2")
    assert match.ply == 0
    assert "Nothing was played." in screen.text


def test_a_move_that_revealed_nothing_can_be_taken_back_and_another_not() -> None:
    match, screen = at_position("hire M07l two-plays", "undo", "place P01d E2")
    assert [entry.kind for entry in match.log[:3]] == ["move", "take-back", "move"]
    assert "Your last move is taken back." in screen.text
    match, screen = at_position("hire M07l two-plays", "project P01d", "undo", "undo", "undo")
    assert [entry.kind for entry in match.log] == ["move", "move", "take-back", "take-back"]
    assert "there is no move of yours to take back" in screen.text


def test_cards_and_heaps_are_shown_whole() -> None:
    _, screen = at_position("card m09d", "discard")
    last_word = GAME.card_picture(DECK, "M09d").quip.split()[-1]
    assert screen.text.count(last_word) == 2


def test_resigning_asks_first() -> None:
    match, screen = at_position("resign", "no", "resign", "yes")
    assert match.outcome is not None
    assert match.outcome.winners == (B,)
    assert screen.shown[-1].startswith("B won: the other player resigned [HR-9].")


def test_a_tie_is_explained_by_the_rule_that_broke_it() -> None:
    rest = {"deck": "P05d", "scored A": "P03d", "scored B": "P08d P12d"}
    _, screen = at_position("place P01d E2", more=rest)
    assert screen.shown[-1] == (
        "B won: equal points, more scored cards [HR-9.2]. Points: A 6, B 6."
    )


@pytest.mark.parametrize("name", sorted(all_games()))
def test_bots_play_a_whole_match_before_a_spectator(name: str) -> None:
    game: AnyGame = game_named(name)
    match = Match.start(game, load_deck(game), secret=seeded(3))
    screen = Script([])
    players = {Seat(n): bot_named("random") for n in range(len(game.seats))}
    Session(match, players, screen, Random(1)).run()
    assert match.outcome is not None
    assert f"[{match.outcome.clause}]" in screen.shown[-1]
    told = [event for happening in match.happenings for event in happening.events]
    spoken = " ".join(screen.text.split())
    for event in told:
        sentence = game.say(event.code, event.seen_by(None).params)
        assert sentence[1:] in spoken


def test_a_newcomer_is_shown_once_how_a_move_is_written() -> None:
    match, screen = at_position("place P01d E2")
    (example,) = re.findall(r"such as `(.+?)`", screen.text)
    fresh = Match.from_position(GAME, DECK, None, POSITION)
    fresh.submit(A, example)
    assert (fresh.ply, match.ply) == (1, 2)


# -- Two people at one screen ----------------------------------------------------------------


def test_between_two_people_the_screen_is_cleared_and_shows_nothing_hidden() -> None:
    answers = ["", "place P01d E2", "", "", "place P03l W1", "", ""]
    match, screen = at_position(*answers, hot_seat=True)
    assert match.ply == 2
    screens = screen.text.split(CLEARED)
    # In turn: a hand-over, A's screen, a hand-over, B's screen, ...
    for between in screens[0::2]:
        assert not CARD.findall(between)
        assert "press Enter" in between
    a_screen, b_screen = screens[1], screens[3]
    assert {"P01d", "M07l", "P02l"} <= set(CARD.findall(a_screen))
    assert not {"P03l", "P04l"} & set(CARD.findall(a_screen))
    assert {"P03l", "P04l"} <= set(CARD.findall(b_screen))
    assert not {"P01d", "M07l", "P02l", "P05d"} & set(CARD.findall(b_screen))
    assert "A places a dark card on E2. A draws a dark card." in b_screen


def test_a_person_with_two_decisions_in_a_row_keeps_the_screen() -> None:
    _, screen = at_position("", "hire M07l two-plays", "project P01d", hot_seat=True)
    assert screen.shown.count(CLEARED) == 1


def test_bots_are_not_given_the_chance_by_which_the_cards_were_shuffled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn: list[int] = []
    monkeypatch.setattr(Session, "run", lambda self: drawn.append(self.rng.getrandbits(64)))
    for seed in ("7", "7", "8"):
        assert openplan(capsys, "play", "human", "--seed", seed).status == 0
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0] != Random(7).getrandbits(64)


# -- Records ---------------------------------------------------------------------------------


def test_leaving_writes_the_record_and_it_can_be_gone_on_with(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "my.record"
    first = openplan(
        capsys, "play", "human", "--seed", "3", "--save", str(file), typed="hint\nquit\n"
    )
    assert first.status == 0
    assert f"The record is in {file}." in first.out
    match = read_record(file.read_text(), game_named, find_deck)
    assert match.viewer == OPEN
    move = GAME.format_move(DECK, GAME.moves(match.view(A))[0])
    arguments = ["play", "human", "--resume", str(file), "--save", str(file)]
    second = openplan(capsys, *arguments, typed=f"{move}\n")
    assert second.status == 0
    assert read_record(file.read_text(), game_named, find_deck).ply > match.ply


def test_a_file_that_is_there_is_not_overwritten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "dear.txt"
    file.write_text("mine")
    result = openplan(capsys, "play", "human", "--save", str(file))
    assert (result.status, result.err) == (2, f"openplan: {file} exists already\n")
    result = openplan(capsys, "play", "human", "--seed", "1", typed=f"save {file}\n")
    assert f"{file} exists already" in result.out
    assert file.read_text() == "mine"


def test_a_finished_record_is_shown_with_its_result(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    match = Match.start(GAME, DECK, secret=seeded(1))
    match.enter("resign", A)
    file = tmp_path / "over.record"
    file.write_text(write_record(match))
    result = openplan(capsys, "play", "human", "--resume", str(file))
    assert result.out.splitlines()[-1].startswith("B won: the other player resigned")


@pytest.mark.parametrize("content", ["", "open-plan record 1\n", "x" * 2_000_000, "\xff"])
def test_what_is_no_record_is_refused_in_a_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str
) -> None:
    file = tmp_path / "bad.record"
    file.write_text(content, "latin-1")
    result = openplan(capsys, "play", "human", "--resume", str(file))
    assert result.status == 2
    assert re.fullmatch(r"openplan: .+\n", result.err)


# -- A real terminal -------------------------------------------------------------------------


def converse(
    arguments: list[str], exchange: list[tuple[str, bytes]], before: str = ""
) -> tuple[int, str]:
    """Run the program on a terminal; wait for each text, then type. `before` is run by it first."""
    main, other = pty.openpty()
    # Ctrl-C reaches a program only from the terminal that it has made its own, and not if the tests
    # themselves were started in the background, where interrupts are ignored.
    code = "import fcntl, signal, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    code += "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += f"{before}\nfrom openplan.cli.main import main; main()"
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=other,
        stdout=other,
        stderr=other,
        env=environment,
        start_new_session=True,
    )
    os.close(other)
    seen = ""
    try:
        for awaited, typed in exchange:
            seen += _read_until(main, awaited)
            os.write(main, typed)
        seen += _read_until(main, None)
        return process.wait(30), seen
    finally:
        process.kill()
        process.wait()
        os.close(main)


def _read_until(terminal: int, awaited: str | None) -> str:
    seen = b""
    end = time.monotonic() + 60
    while awaited is None or awaited.encode() not in seen:
        assert time.monotonic() < end, f"no {awaited!r} in {seen.decode(errors='replace')}"
        if select.select([terminal], [], [], 1)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:  # the program has gone
                data = b""
            if not data:
                assert awaited is None, f"no {awaited!r} in {seen.decode(errors='replace')}"
                break
            seen += data
    return seen.decode()


@pytest.mark.parametrize("key", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_ctrl_c_and_ctrl_d_leave_cleanly(key: bytes) -> None:
    status, seen = converse(["play", "human", "--seed", "1"], [("A> ", key)])
    assert status == 0
    assert "Traceback" not in seen


def test_an_interrupt_between_a_prompt_and_its_reading_is_not_lost() -> None:
    # By the library itself, with no step of Python in between: nobody looks whether one has come.
    before = (
        "import ctypes, functools, readline\n"
        "interrupt = functools.partial(getattr(ctypes.CDLL(None), 'raise'), 2)\n"
        "readline.set_pre_input_hook(interrupt)"
    )
    status, seen = converse(["play", "human", "--seed", "1"], [], before)
    assert status == 0
    assert "A> " in seen
    assert "Traceback" not in seen


def test_a_hand_over_wipes_the_screen_the_scrollback_and_the_typed_lines() -> None:
    match = Match.start(GAME, DECK, secret=seeded(1))
    seat = GAME.seats[min(match.awaited)]
    other = "B" if seat == "A" else "A"
    move = GAME.format_move(DECK, GAME.moves(match.view(min(match.awaited)))[0])
    status, seen = converse(
        ["play", "human", "--seed", "1", "--hot-seat"],
        [
            ("press Enter. ", b"\n"),
            (f"{seat}> ", move.encode() + b"\n"),
            ("hand it over. ", b"\n"),
            ("press Enter. ", b"\n"),
            (f"{other}> ", b"\x1b[A"),  # the key that brings back the last line
            ("", b"\n"),
            ("", b"\x04"),
        ],
    )
    assert status == 0
    assert seen.count("\x1b[2J\x1b[3J\x1b[H") == 3
    after = seen.rpartition("\x1b[2J\x1b[3J\x1b[H")[2]
    assert move.split()[1] not in after
