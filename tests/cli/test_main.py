"""The command as a whole: help, version, and how errors are said."""

import os
import subprocess
import sys

import pytest

import openplan as package
from openplan import compiled
from tests.cli.command import openplan

PROGRAM = [sys.executable, "-c", "from openplan.cli.main import main; main()"]
COMMANDS = [
    ("play",),
    ("engine",),
    ("cases",),
    ("deck", "check"),
    ("deck", "new"),
    ("deck", "show"),
    ("arena",),
    ("mcp",),
    ("balance",),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help_with_an_example(
    capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    result = openplan(capsys, *command, "--help")
    assert result.status == 0
    assert "Example:" in result.out
    assert f"openplan {' '.join(command)}" in result.out


def test_without_a_command_the_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    result = openplan(capsys)
    assert result.status == 0
    for command in COMMANDS:
        assert f"  {command[0]} " in result.out


def test_the_version_says_which_form_runs(capsys: pytest.CaptureFixture[str]) -> None:
    result = openplan(capsys, "--version")
    assert result.out == f"openplan {package.__version__}\n{compiled.describe()}\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["fly"], "No such command 'fly'; see `openplan --help`"),
        (["admin"], "Missing command; see `openplan admin --help`"),
        (["play", "chess"], "there is no game 'chess'; there are: "),
        (["play", ""], "there is no game ''"),
        (["play", "human", "--bot", "deep"], "there is no bot 'deep'"),
        (["play", "human", "--seat", "Z=me"], "has no seat 'Z'"),
        (["play", "human", "--seat", "A=you"], "--seat is written"),
        (["play", "human", "--hot-seat", "--bot", "greedy"], "--hot-seat gives every seat"),
        (["play", "human", "--house", "promo"], "--house is written"),
        (["play", "human", "--house", "promo=maybe"], "the house rule 'promo' is one of no, yes"),
        (["play", "human", "--house", "x=y"], "has no house rule 'x'"),
        (["play", "human", "--deck", "no-such"], "no-such: neither a file nor a deck"),
        (["play", "human", "--deck", "/no/such.toml"], "cannot be read: no such file"),
        (["play", "human", "--resume", "/no/such"], "/no/such cannot be read: No such file"),
        (["play", "human", "--seed", "x"], "Invalid value for '--seed'"),
        (["play", "human", "--seed", "-7"], "Invalid value for '--seed'"),
        (["play", "human", "--seed", "7", "--resume", "x"], "--seed is for a new deal"),
        (["cases", "human", "--only", "HR.99"], "has no case 'HR.99'"),
        (["cases", "human", "/no/such.case"], "cannot be read"),
        (["deck", "show", "human", "P99d"], "there is no card 'P99d'"),
        (["deck", "new"], "Missing argument 'GAME'"),
        (["arena", "human", "--bots", "greedy"], "name at least 2 bots"),
        (["arena", "human", "--bots", "greedy,deep"], "there is no bot 'deep'"),
        (["arena", "human", "--bots", "greedy,cmd:"], "there is no command after cmd:"),
        (["arena", "human", "--bots", "random,random", "--aim", "2"], "--aim is a share"),
        (["arena", "human", "--bots", "random,random", "--time", "0"], "--time is more than 0"),
        (["arena", "human", "--bots", "random,random", "--games", "0"], "Invalid value"),
    ],
)
def test_an_error_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    result = openplan(capsys, *arguments)
    assert result.status == 2
    assert result.err.startswith("openplan: ")
    assert reason in result.err
    assert result.err.count("\n") == 1
    assert result.out == ""


def test_the_beginning_of_a_games_name_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    whole = openplan(capsys, "deck", "show", "human-resources", "P05d")
    assert openplan(capsys, "deck", "show", "HUM", "p05d") == whole


def test_help_does_not_load_the_games() -> None:
    code = (
        "import sys\nfrom openplan.cli.main import main\n"
        "try: main(['--help'])\nfinally: print([m for m in sys.modules if '.games.' in m])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.stdout.rstrip().endswith("[]")


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "latin-1"])
def test_any_terminal_shows_the_cards(encoding: str) -> None:
    run = subprocess.run(
        [*PROGRAM, "deck", "show", "human", "P05d"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        timeout=60,
    )
    assert run.returncode == 0
    shade = "▒▒▒▒▒▒" if encoding == "utf-8" else "######"
    assert shade in run.stdout.decode(encoding)
    assert b"?" not in run.stdout


def test_a_reader_that_goes_away_is_no_fault() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "deck", "show", "human"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    process.wait(60)
    assert b"Traceback" not in err
    assert b"Exception" not in err
