"""People at a server for tests: members, what they ask of the store, and the letters they get."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from itertools import count
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from openplan.server.people import accounts
from openplan.server.store import Tx
from tests.server.running import Client, Running


@contextmanager
def cheap_passwords() -> Iterator[None]:
    """Passwords are hashed slowly on purpose, which is not what is to be tried here."""
    quick = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
    nobodys = quick.hash("nobody's")
    with patch.object(accounts, "_HASHER", quick), patch.object(accounts, "_NOBODYS_HASH", nobodys):
        yield


class Recorder:
    """A transaction that also notes what is asked of it, to compare the work of two cases."""

    def __init__(self, tx: Tx) -> None:
        self._tx = tx
        self.asked: list[str] = []

    def execute(self, sql: str, *params: Any) -> None:
        self.asked.append(sql)
        self._tx.execute(sql, *params)

    change = Tx.change

    def rows(self, kind: Any, sql: str, *params: Any) -> list[Any]:
        self.asked.append(sql)
        return self._tx.rows(kind, sql, *params)

    def row(self, kind: Any, sql: str, *params: Any) -> Any:
        rows = self.rows(kind, sql, *params)
        return rows[0] if rows else None

    def signal(self, topic: str, ident: str) -> None:
        self.asked.append(f"signal {topic}")
        self._tx.signal(topic, ident)


def recorded(server: Running, work: Any) -> list[str]:
    """What a use-case asks of the store."""

    def run(tx: Tx) -> list[str]:
        recorder = Recorder(tx)
        work(cast(Tx, recorder))
        return recorder.asked

    return server.run(server.site.store.transact(run))


def letters_to(server: Running, address: str, count: int = 1) -> list[EmailMessage]:
    """The letters to an address in their order, as soon as there are so many."""
    folder = server.site.settings.data / "letters"
    end = time.monotonic() + 20
    while True:
        found = sorted(folder.glob("[!.]*.eml"), key=lambda path: path.stat().st_mtime_ns)
        letters = [letter for letter in map(read, found) if letter["To"] == address]
        if len(letters) >= count:
            return letters
        assert time.monotonic() < end, [letter["Subject"] for letter in letters]
        time.sleep(0.02)


def read(path: Path) -> EmailMessage:
    message = message_from_bytes(path.read_bytes(), policy=default)
    assert isinstance(message, EmailMessage)
    return message


def text_of(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    text: str = body.get_content()
    # As it was before its lines were wrapped.
    return re.sub(r"(?<!\n)\n(?!\n)", " ", text.replace("\r\n", "\n"))


def token_in(letter: EmailMessage) -> str:
    found = re.search(r"/letter/[a-z-]+#(\S+)", text_of(letter))
    assert found, text_of(letter)
    return found[1]


_NUMBERS = count(1)
PASSWORD = "a long phrase"


def member(server: Running, name: str, device: Client | None = None) -> Client:
    """Somebody who has signed up by name, in a browser of their own or in another's."""
    client = device or server.client()
    account = {"login": f"member-{next(_NUMBERS)}", "password": PASSWORD, "name": name}
    client.ok("POST", "/api/session/sign-up", account)
    return client


def id_of(client: Client) -> str:
    ident: str = client.ok("GET", "/api/me")["id"]
    return ident
