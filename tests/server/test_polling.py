"""The real server and a real mailbox: mail is polled by IMAP, judged, answered and marked, once,
whatever dies in between."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from openplan.cli.main import app as command
from openplan.mail.inbound.mailbox import ImapSettings
from tests.mail.dovecot import mailbox
from tests.ports import own_port
from tests.server.people import read, text_of
from tests.server.running import Client, is_ready

JUDGE, ANN = "orders@games.example", "ann@example.org"


class Polling:
    """`openplan serve` with a mailbox; killed and started again at will."""

    def __init__(self, folder: Path, box: ImapSettings, **more: Any) -> None:
        self.folder, self.data = folder, folder / "data"
        self.die, self.log = folder / "die", folder / "log"
        self.port = own_port()
        settings = {
            "data": str(self.data),
            "die": str(self.die),
            "port": self.port,
            "mail_address": JUDGE,
            "imap_host": box.host,
            "imap_port": box.port,
            "imap_security": box.security,
            "imap_user": box.user,
            "imap_password": box.password,
            **more,
        }
        (folder / "settings.json").write_text(json.dumps(settings))
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.server.polling", str(self.folder / "settings.json")],
                stderr=log,
            )
        wait_for(self._is_up, "the server does not start")

    def _is_up(self) -> bool:
        assert self.process is not None
        # One that dies of the mail it finds at once has been up.
        return is_ready(self.port) or self.process.poll() is not None

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(20)

    def letters(self, kind: str) -> list[EmailMessage]:
        files = sorted(self.data.glob("letters/*.eml"), key=lambda file: file.stat().st_mtime_ns)
        return [one for one in map(read, files) if one["X-Openplan-Letter"] == kind]

    def said(self, what: str) -> list[dict[str, Any]]:
        lines = (json.loads(line) for line in self.log.read_text().splitlines() if line[:1] == "{")
        return [line for line in lines if line["event"] == what]


@contextmanager
def polling(folder: Path, box: ImapSettings, **more: Any) -> Iterator[Polling]:
    server = Polling(folder, box, **more)
    try:
        server.start()
        yield server
    finally:
        server.close()


def wait_for(is_so: Callable[[], Any], what: str) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def deliver(new: Path, name: str, lines: list[str]) -> None:
    mail = [f"From: {ANN}", f"To: {JUDGE}", f"Message-ID: <{name}@example.org>", "", *lines, ""]
    half = new.with_name("tmp") / name
    half.write_bytes("\r\n".join(mail).encode())
    half.chmod(0o666)
    half.rename(new / name)


def unread(new: Path) -> list[str]:
    """Whatever dovecot has not been told to mark as read."""
    cur = new.with_name("cur")
    return [file.name for file in new.iterdir()] + [
        file.name for file in cur.iterdir() if "S" not in file.name.rpartition(":2,")[2]
    ]


def invite(server: Polling) -> str:
    """Ann is invited; the token that her answer shows."""
    owner = Client(f"127.0.0.1:{server.port}")
    account = {"login": "olga", "password": "a long phrase", "name": "Olga"}
    owner.ok("POST", "/api/session/sign-up", account)
    table = owner.ok("POST", "/api/tables", {"game": "cube-farm", "public": True})["id"]
    owner.ok("POST", f"/api/tables/{table}/invite", {"email": ANN})
    owner.http.close()
    wait_for(lambda: server.letters("invitation"), "no invitation")
    found = re.search(r"BEGIN (\S+)", text_of(server.letters("invitation")[-1]))
    assert found
    return found[1]


@pytest.mark.parametrize("place", ["", "before", "after"])
def test_mail_is_obeyed_answered_and_marked_once(place: str, tmp_path: Path) -> None:
    """Also if the server is killed before it has kept the mail, or has kept it and not marked."""
    with mailbox() as (box, new), polling(tmp_path, box) as server:
        token = invite(server)
        assert server.process is not None
        if place:
            server.die.write_text(place)
        deliver(new, "1.join", [f"BEGIN {token}", "JOIN", "END"])
        if place:
            wait_for(lambda: server.process and server.process.poll() is not None, "still alive")
            assert server.process.returncode == -9
            assert unread(new), "what was not marked is unread"
            assert len(server.said("a mail was judged")) == (0 if place == "before" else 1)
            server.die.unlink()
            server.start()
        wait_for(lambda: not unread(new), "it is not marked")
        deliver(new, "2.list", ["BEGIN", "LIST", "END"])
        wait_for(lambda: len(server.letters("answer")) >= 2, "not answered")
        wait_for(lambda: not unread(new), "it is not marked")
        # Not by when they went: what a dead postman had in hand is free only some seconds later.
        answers = {one["In-Reply-To"]: text_of(one) for one in server.letters("answer")}
        assert answers.keys() == {"<1.join@example.org>", "<2.list@example.org>"}
        assert "you have a seat" in answers["<1.join@example.org>"]
        assert "LIST" in answers["<2.list@example.org>"]
        judged = [line["silence"] for line in server.said("a mail was judged")]
        assert judged == (["", "duplicate", ""] if place == "after" else ["", ""])
        time.sleep(0.6)  # some looks later
        assert len(server.letters("answer")) == 2
        assert len(server.said("a mail was judged")) == len(judged)


def test_a_mail_that_cannot_be_read_is_laid_aside_and_holds_up_no_other(tmp_path: Path) -> None:
    with mailbox() as (box, new), polling(tmp_path, box) as server:
        token = invite(server)
        deliver(new, "1.bad", ["BEGIN", "FAIL ON THIS", "END"])
        deliver(new, "2.join", [f"BEGIN {token}", "JOIN", "END"])
        wait_for(lambda: server.letters("answer"), "the second is not answered")
        wait_for(lambda: not unread(new), "not marked")
        (aside,) = (server.data / "unjudged").iterdir()
        assert b"FAIL ON THIS" in aside.read_bytes()
        assert server.said("a mail cannot be judged and is laid aside")


def test_a_mailbox_that_cannot_be_read_is_told_and_tried_less_and_less(tmp_path: Path) -> None:
    with mailbox() as (box, _):
        with polling(tmp_path, box, imap_password="wrong") as server:
            wait_for(lambda: len(server.said("the mailbox cannot be read")) >= 3, "not told")
            waits = [line["again_in"] for line in server.said("the mailbox cannot be read")]
            assert waits[:3] == [0.2, 0.4, 0.8]
            first = server.said("the mailbox cannot be read")[0]
            assert re.search("[Aa]uthentication", first["reason"])
            assert first["mailbox"] == f"{box.user} at {box.host}"
            log = server.log.read_text()
            assert "wrong" not in log
            assert box.password not in log
            assert is_ready(server.port)


def test_a_mailbox_that_vanishes_is_read_again_when_it_is_back(tmp_path: Path) -> None:
    with mailbox() as (box, new), relay(box.port) as way:
        with polling(tmp_path, box, imap_port=way.port) as server:
            token = invite(server)
            way.cut()
            # The first may be of a connection that was cut in the middle.
            wait_for(lambda: "refused" in told(server), "not told")
            deliver(new, "1.join", [f"BEGIN {token}", "JOIN", "END"])
            way.mend()
            wait_for(lambda: server.said("the mailbox can be read again"), "not read again")
            wait_for(lambda: server.letters("answer"), "not answered")


def told(server: Polling) -> str:
    lines = server.said("the mailbox cannot be read")
    return " ".join(line["reason"] for line in lines)


class Relay:
    """A way to a port that can be cut."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._process: subprocess.Popen[bytes] | None = None
        self.port = own_port()
        self.mend()

    def mend(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", RELAY, str(self.port), str(self._target)]
        )
        wait_for(self._is_open, "no way")

    def _is_open(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def cut(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(20)
            self._process = None


RELAY = """
import asyncio, sys
async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()
async def serve(reader, writer):
    there, back = await asyncio.open_connection("127.0.0.1", int(sys.argv[2]))
    await asyncio.gather(pump(reader, back), pump(there, writer))
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()
asyncio.run(main())
"""


@contextmanager
def relay(port: int) -> Iterator[Relay]:
    way = Relay(port)
    try:
        yield way
    finally:
        way.cut()


def test_the_check_says_what_is_wrong_with_a_mailbox(tmp_path: Path) -> None:
    def checked(box: ImapSettings, **more: Any) -> tuple[int, str]:
        config = tmp_path / "settings.toml"
        settings = {
            "data": str(tmp_path),
            "mail_address": JUDGE,
            "imap_host": box.host,
            "imap_port": box.port,
            "imap_security": box.security,
            "imap_user": box.user,
            "imap_password": box.password,
            **more,
        }
        config.write_text(
            "".join(f"{name} = {json.dumps(is_)}\n" for name, is_ in settings.items())
        )
        run = CliRunner().invoke(command, ["mail", "check", "--config", str(config)])
        found = re.search(r"^imap +(.*)$", run.output, re.MULTILINE)
        assert found, run.output
        return run.exit_code, found[1]

    with mailbox() as (box, _):
        assert checked(box) == (0, "ok")
        cases: list[tuple[dict[str, Any], str]] = [
            ({"imap_password": "wrong"}, "[Aa]uthentication"),
            ({"imap_user": "nobody"}, "[Aa]uthentication"),
            ({"imap_folder": "Nowhere"}, "Nowhere|NONEXISTENT|doesn't exist"),
            ({"imap_port": 1}, "refused"),
            ({"imap_security": "tls"}, "(?i)ssl|tls"),
        ]
        for wrong, reason in cases:
            code, said = checked(box, **wrong)
            assert code == 1
            assert re.search(reason, said), said
