"""`openplan mail`: the pipe, the check, the letters, the print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from openplan.server.mailing.inbox import spool, spooled
from tests.cli.command import openplan
from tests.server.running import running

Capture = pytest.CaptureFixture[str]
MAIN = "from openplan.cli.main import main; main()"
MAIL = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nBEGIN\r\nHELP\r\nEND\r\n"


def pipe(folder: Path, mail: bytes) -> tuple[int, str]:
    """As a mail server runs it."""
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "mail", "--data", str(folder)],
        input=mail,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    return done.returncode, done.stderr.decode()


def test_a_piped_mail_is_kept_to_the_byte_until_a_server_takes_it(tmp_path: Path) -> None:
    assert pipe(tmp_path, MAIL) == (0, "")
    (file,) = spooled(tmp_path / "spool")
    assert file.read_bytes() == MAIL
    assert file.stat().st_mode & 0o777 == 0o600
    with running(tmp_path):
        end = time.monotonic() + 30
        while spooled(tmp_path / "spool"):
            assert time.monotonic() < end, "nobody took it"
            time.sleep(0.05)


def test_a_mail_that_is_taken_while_others_are_listed_is_none(tmp_path: Path) -> None:
    kept = spool(tmp_path, MAIL)
    (tmp_path / "gone.eml").symlink_to(tmp_path / "taken")
    assert spooled(tmp_path) == [kept]


def test_a_mail_that_cannot_be_kept_is_the_mail_servers_again(tmp_path: Path) -> None:
    status, said = pipe(tmp_path / "none", MAIL)
    assert status == 75
    assert "the mail cannot be kept" in said
    assert not (tmp_path / "none").exists()


def test_the_check_says_what_is_wrong(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = openplan(capsys, "mail", "check", "--data", str(tmp_path))
    assert done.status == 1
    assert "nobody can write to the judge" in done.out
    assert "letters      ok" in done.out
    monkeypatch.setenv("OPENPLAN_MAIL_ADDRESS", "orders@games.example")
    assert openplan(capsys, "mail", "check", "--data", str(tmp_path)).status == 0
    monkeypatch.setenv("OPENPLAN_SMTP_HOST", "127.0.0.1")
    monkeypatch.setenv("OPENPLAN_SMTP_PORT", "1")
    monkeypatch.setenv("OPENPLAN_IMAP_HOST", "127.0.0.1")
    monkeypatch.setenv("OPENPLAN_IMAP_PORT", "1")
    monkeypatch.setenv("OPENPLAN_DKIM_KEY", str(tmp_path / "no.key"))
    done = openplan(capsys, "mail", "check", "--data", str(tmp_path))
    assert done.status == 1
    lines = {line.split()[0]: line for line in done.out.splitlines()}
    assert set(lines) == {"address", "smtp", "imap", "dkim"}
    assert "ok" in lines["address"]
    for name in ("smtp", "imap", "dkim"):
        assert "ok" not in lines[name].split()


CORPUS = Path(__file__).parents[1] / "mail" / "corpus"
TOKEN = "17-s0-1-9dqggr9tcdzz69s7x32hn7xkwg"


def explained(capsys: Capture, file: Path, *options: str) -> dict[str, Any]:
    done = openplan(capsys, "mail", "explain", str(file), *options, "--json")
    assert (done.status, done.err) == (0, "")
    found: dict[str, Any] = json.loads(done.out)
    assert list(found) == ["result", "code", "token", "orders", "commands", "items"]
    return found


def test_what_is_read_in_a_mail_is_told_as_data(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "order.eml"
    head = f"From: a@example.org\r\nTo: orders+{TOKEN}@example.net\r\n\r\n"
    lines = ["BEGIN", "1: card 23 N2", "1: card __ at __", "HELP ORDERS", "so long", "END"]
    file.write_text(head + "\r\n".join(lines) + "\r\n", newline="")
    found = explained(capsys, file)
    items = found.pop("items")
    assert found == {
        "result": "read",
        "code": "",
        "token": TOKEN,
        "orders": ["1: card 23 N2"],
        "commands": ["HELP"],
    }
    assert [(one["first"], one["last"], one["verdict"], one["code"]) for one in items] == [
        (2, 2, "order", ""),
        (3, 3, "blank", "blank"),
        (4, 4, "command", ""),
        (5, 5, "refused", "not-understood"),
    ]
    keys = "first last text verdict code reason part order command"
    assert {" ".join(one) for one in items} == {keys}
    assert items[3]["text"] == "so long"
    assert items[3]["reason"]
    # Read as another game's there are no orders in it.
    assert explained(capsys, file, "--game", "human")["orders"] == []
    said = openplan(capsys, "mail", "explain", str(file), "--game", "cube")
    assert said.status == 0
    assert "read as orders of cube-farm" in said.out
    assert "order: 1: card 23 N2" in said.out


@pytest.mark.parametrize(
    ("name", "result", "code", "token"),
    [
        ("thanks", "refused", "no-begin", TOKEN),
        ("past-end", "read", "", TOKEN),
        ("smime", "refused", "encrypted", TOKEN),
        ("robot-auto-replied", "silent", "auto-submitted", TOKEN),
    ],
)
def test_a_mail_that_is_not_read_is_told_as_data_too(
    capsys: Capture, name: str, result: str, code: str, token: str
) -> None:
    found = explained(capsys, CORPUS / f"{name}.eml")
    assert (found["result"], found["code"]) == (result, code)
    assert found["token"] == token
    if result != "read":
        assert (found["orders"], found["commands"], found["items"]) == ([], [], [])


def test_a_mail_that_is_not_there_and_an_unknown_game_are_said(
    tmp_path: Path, capsys: Capture
) -> None:
    done = openplan(capsys, "mail", "explain", str(tmp_path / "none.eml"), "--json")
    assert (done.status, done.out) == (2, "")
    assert "cannot be read" in done.err
    done = openplan(capsys, "mail", "explain", str(CORPUS / "thanks.eml"), "--game", "chess")
    assert (done.status, done.out) == (2, "")
    assert "chess" in done.err


def test_letters_are_listed_and_a_turn_is_printed(tmp_path: Path, capsys: Capture) -> None:
    assert "no letters" in openplan(capsys, "mail", "letters", "--data", str(tmp_path)).out
    out = tmp_path / "turn.pdf"
    with running(tmp_path) as server:
        ann = server.client("Ann")
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "random"}]
        table = ann.ok("POST", "/api/tables", {"game": "cube-farm", "seats": seats})["id"]
        ann.ok("POST", "/api/session/link", {"email": "ann@example.org"})
        end = time.monotonic() + 30
        while not list((tmp_path / "letters").glob("*.eml")):
            assert time.monotonic() < end, "no letter was written"
            time.sleep(0.05)
        arguments = ("mail", "print", table, "--seat", "S", "--data", str(tmp_path))
        done = openplan(capsys, *arguments, "--out", str(out))
        assert (done.status, done.out) == (0, f"{out}\n")
        assert out.read_bytes().startswith(b"%PDF-")
        done = openplan(capsys, "mail", "print", "nonsense", "--data", str(tmp_path))
        assert done.status == 2
    listed = openplan(capsys, "mail", "letters", "--data", str(tmp_path)).out
    assert "ann@example.org  No account with this address" in listed
    # With no server it is done here.
    assert openplan(capsys, *arguments, "--out", str(out)).status == 0
