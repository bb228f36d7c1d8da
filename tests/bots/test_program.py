"""Programs as bots: what they get, and that one that fails loses its match and nothing else."""

import json
import sys
import time
from pathlib import Path
from random import Random

import pytest

from openplan.arena.tournament import Terms, play_match
from openplan.bots import BotFailed, Budget, program
from openplan.bots.program import ProgramBot
from openplan.core.deal import seeded
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import deck_file, load_deck

GAME = game_named("human-resources")
EXAMPLE = Path(__file__).parents[2] / "examples" / "bot.py"

FIRST_MOVE = "import json\nprint(json.dumps({'move': json.loads(input())['moves'][0]}), flush=True)"


def write_bot(folder: Path, source: str) -> str:
    file = folder / "bot.py"
    file.write_text(f"import os, sys, time\n{source}\n")
    return f"{sys.executable} -I -S {file}"


def choose(command: str, seconds: float = 1.0, memory: int = 2**31) -> str:
    match = Match.start(GAME, load_deck(GAME), secret=seeded(1))
    bot = ProgramBot(command, Budget(seconds), memory)
    try:
        move = bot.choose(GAME, match.view(min(match.awaited)), Random(1))
    finally:
        bot.close()
    return GAME.format_move(match.deck, move)


def test_the_example_plays_whole_matches() -> None:
    text, _ = deck_file(GAME)
    terms = Terms(GAME.name, text, (f"cmd:{sys.executable} -I -S {EXAMPLE}", "random"))
    terms.check()
    for number in range(2):
        result = play_match(terms, number)
        assert result.failed == ()
        assert play_match(terms, number) == result
    assert len(EXAMPLE.read_text().splitlines()) < 50


def test_a_program_gets_the_view_of_its_seat_and_the_moves(tmp_path: Path) -> None:
    match = Match.start(GAME, load_deck(GAME), secret=seeded(1))
    seat = min(match.awaited)
    copy = tmp_path / "request"
    source = f"line = sys.stdin.readline()\nopen({str(copy)!r}, 'w').write(line)\n"
    source += "import json\nprint(json.dumps({'move': json.loads(line)['moves'][0]}), flush=True)"
    choose(write_bot(tmp_path, source))
    request = json.loads(copy.read_text())
    view = match.view(seat)
    assert request["view"] == GAME.view_data(view)
    assert request["moves"] == [GAME.format_move(match.deck, move) for move in GAME.moves(view)]
    assert request["budget"] == {"seconds": 1.0, "iterations": None}


def test_a_move_can_be_built_by_asking(tmp_path: Path) -> None:
    source = """
import json
sys.stdin.readline()
steps = []
while True:
    print(json.dumps({"steps": steps}), flush=True)
    options = json.loads(sys.stdin.readline())
    if options["whole"]:
        break
    steps.append(options["next"][0]["value"])
print(json.dumps({"move": options["whole"]}), flush=True)
"""
    assert choose(write_bot(tmp_path, source)).startswith("place ")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("sys.exit(3)", "it ended with status 3"),
        ("raise RuntimeError('no idea')", "it ended with status 1: RuntimeError: no idea"),
        ("os.kill(os.getpid(), 9)", "it ended by signal 9"),
        ("time.sleep(60)", "it gave no move within 0.3 s"),
        ("while True: pass", "it gave no move within 0.3 s"),
        ("import signal\nsignal.signal(15, signal.SIG_IGN)\ntime.sleep(60)", "it gave no move"),
        ("print('hello', flush=True)\ntime.sleep(9)", "which is not JSON"),
        ("print('[' * 60000, flush=True)\ntime.sleep(9)", "which is not JSON"),
        ("print('[1]', flush=True)\ntime.sleep(9)", "which is not a JSON object"),
        ("print('{}', flush=True)\ntime.sleep(9)", "neither a move nor steps"),
        ("print('{\"steps\": 5}', flush=True)\ntime.sleep(9)", "neither a move nor steps"),
        ("print('{\"move\": 5}', flush=True)\ntime.sleep(9)", "its move is not a text"),
        ('print(\'{"move": "fly"}\', flush=True)\ntime.sleep(9)', "its move cannot be read"),
        ('print(\'{"move": "place P01d E9"}\', flush=True)\ntime.sleep(9)', "is illegal"),
        ("while True: print('x' * 1000, end='', flush=True)", "bytes at once"),
        ("while True: print('{\"steps\": []}'), sys.stdin.readline()", "it gave no move|questions"),
        ("os.close(1)\ntime.sleep(60)", "it closed its input or output"),
        ("x = bytearray(2**30)\ntime.sleep(9)", "MemoryError"),
        ("x = b'a' * 2**20\nwhile True: sys.stderr.buffer.write(x)", "it ended"),
    ],
)
def test_a_program_that_fails_loses_with_a_reason(
    tmp_path: Path, source: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "START_SECONDS", 0.5)  # for those that never answer
    command = write_bot(tmp_path, source)
    began = time.monotonic()
    with pytest.raises(BotFailed, match=reason):
        # Starting takes its time on a busy machine, so only the hanging ones get little.
        choose(command, 0.3 if "it gave" in reason else 20, 2**29)
    assert time.monotonic() - began < 15


def test_what_a_program_started_ends_with_it(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    source = "import subprocess\nchild = subprocess.Popen(['sleep', '600'])\n"
    source += f"open({str(pid)!r}, 'w').write(str(child.pid))\nprint('no move', flush=True)\n"
    with pytest.raises(BotFailed, match="not JSON"):
        choose(write_bot(tmp_path, source + "time.sleep(60)"), 20)
    for _ in range(100):
        status = Path(f"/proc/{pid.read_text()}/stat")
        if not status.exists() or status.read_text().split()[2] == "Z":
            break
        time.sleep(0.05)
    else:
        pytest.fail("the program's child is still there")


def test_a_failing_program_harms_nothing_else(tmp_path: Path) -> None:
    text, _ = deck_file(GAME)
    bad = f"cmd:{write_bot(tmp_path, FIRST_MOVE)}"  # one move, then it ends
    terms = Terms(GAME.name, text, (bad, "random"), budget=Budget(5))
    before = len(list(Path("/proc/self/fd").iterdir()))
    for number in range(2):
        result = play_match(terms, number)
        (failed,) = result.failed
        assert result.bots[failed[0]] == bad
        assert failed[1] == f"{bad}: it ended with status 0"
        assert result.winners == (1 - failed[0],)
        assert result.reason == "failed"
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_command_that_does_not_exist_loses() -> None:
    with pytest.raises(BotFailed, match=r"it ended with status 127: .*no-such-program"):
        choose("./no-such-program")
