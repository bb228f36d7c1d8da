"""Letters go out after the commit, each as one mail, however often it is tried."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from openplan.mail.outbound.compose import Stamp, as_mail
from openplan.mail.outbound.transport import Transport, Undelivered
from openplan.server.mailing import sender
from openplan.server.mailing.sender import GIVEN_UP_AFTER
from openplan.server.notify import letters
from openplan.server.notify.letters import LETTERS, phrased, post
from openplan.server.people.accounts import checked_email
from openplan.server.store import Tx, jobs
from tests.server.people import cheap_passwords
from tests.server.running import Running, VirtualClock, running

NOVEMBER = 1_700_000_000_000_000
SITE = "https://games.example"
SECRET = b"s" * 32


class Carrier(Transport):
    """Notes what it is given, and fails as told."""

    def __init__(self) -> None:
        self.carried: list[tuple[bytes, str, str]] = []
        self.trouble: list[Exception] = []

    async def send(self, mail: bytes, sender: str, recipient: str, message_id: str) -> None:
        self.carried.append((mail, recipient, message_id))
        if self.trouble:
            raise self.trouble.pop(0)


class Post:
    def __init__(self, server: Running, clock: VirtualClock, carrier: Carrier) -> None:
        self.server = server
        self.clock = clock
        self.carrier = carrier

    def post(self, to: str, kind: str = "no-account", **payload: Any) -> None:
        now = self.clock()
        store = self.server.site.store
        self.server.run(store.transact(lambda tx: post(tx, to, kind, payload, now)))

    def carry(self) -> int:
        return self.server.run(self.server.site.postman.carry())

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        found = self.server.run(self.server.site.store.read(lambda tx: tx.execute(sql)))
        return [tuple(row) for row in found]

    def waiting(self) -> int:
        def work(tx: Tx) -> int:
            found: int = tx.execute("SELECT COUNT(*) FROM outbox WHERE kind = 'letter'")[0][0]
            return found

        return self.server.run(self.server.site.store.read(work))


@pytest.fixture
def office(tmp_path: Path, store_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    """A site whose letters are carried when the test says so, and not by itself."""

    async def idle(_self: sender.Postman) -> None:
        return

    monkeypatch.setattr(sender.Postman, "run", idle)
    clock, carrier = VirtualClock(), Carrier()
    with cheap_passwords(), running(tmp_path, database=store_url, now=clock) as server:
        server.site.postman.transport = carrier
        yield Post(server, clock, carrier)


def test_a_letter_that_this_program_cannot_write_waits_and_is_then_told_of(office: Post) -> None:
    """As an earlier version posted notices; one that still runs elsewhere could write it."""
    office.post("ann@example.org", "moved", table="t", title="PBM Cube Farm", due_at=0)
    office.post("bob@example.org")
    office.carry()
    assert [recipient for _, recipient, _ in office.carrier.carried] == ["bob@example.org"]
    why = "this version of the program cannot write it (KeyError)"
    assert office.rows("SELECT trouble FROM outbox") == [(why,)]
    office.clock.go_on(GIVEN_UP_AFTER // 1_000_000 + 1)
    office.carry()
    assert office.waiting() == 0
    told = office.rows("SELECT kind, trouble FROM sent_letters WHERE trouble IS NOT NULL")
    assert told == [("moved", f"given up: {why}")]


def test_a_letter_is_one_mail_however_often_it_is_tried(office: Post) -> None:
    office.post("ann@example.org")
    office.carrier.trouble = [Undelivered("busy"), OSError("gone"), RuntimeError("odd")]
    for _ in range(3):
        assert office.carry() == 1
        assert office.waiting() == 1
        assert office.carry() == 0, "not again at once"
        office.clock.go_on(3600)
    assert office.carry() == 1
    assert office.waiting() == 0
    assert len(office.carrier.carried) == 4
    assert len(set(office.carrier.carried)) == 1, "the same bytes and the same Message-ID"


def test_an_address_that_takes_nothing_is_left_alone(office: Post) -> None:
    office.post("ann@example.org")
    office.carrier.trouble = [Undelivered("no such mailbox", for_good=True)]
    office.carry()
    assert office.waiting() == 0


def test_one_bad_letter_does_not_hold_up_the_others(office: Post) -> None:
    office.post("ann@example.org")
    office.post("bob@example.org")
    office.carrier.trouble = [OSError("gone")]
    assert office.carry() == 2
    assert [to for _, to, _ in office.carrier.carried] == ["ann@example.org", "bob@example.org"]
    assert office.waiting() == 1


def test_whoever_dies_with_a_letter_leaves_it_to_the_next(office: Post) -> None:
    office.post("ann@example.org")
    store, now = office.server.site.store, office.clock()
    office.server.run(
        store.transact(
            lambda tx: jobs.claim(tx, "letter", now=now, lease_for=sender.LEASE),
            serializable=False,
        )
    )
    assert office.carry() == 0
    office.clock.go_on(sender.LEASE // 1_000_000)
    assert office.carry() == 1
    assert office.waiting() == 0


def test_no_letter_without_what_it_tells(office: Post) -> None:
    store, now = office.server.site.store, office.clock()

    def fail(tx: Tx) -> None:
        post(tx, "ann@example.org", "no-account", {}, now)
        raise RuntimeError("not after all")

    with pytest.raises(RuntimeError, match="not after all"):
        office.server.run(store.transact(fail))
    assert office.carry() == office.waiting() == 0


def test_a_letter_that_is_of_no_use_any_more_does_not_go(office: Post) -> None:
    office.post("ann@example.org", until=office.clock() + 60_000_000)
    office.post("bob@example.org")
    office.clock.go_on(61)
    office.carry()
    assert [to for _, to, _ in office.carrier.carried] == ["bob@example.org"]
    assert office.waiting() == 0
    office.post("cleo@example.org")
    office.clock.go_on(GIVEN_UP_AFTER // 1_000_000 + 1)
    office.carry()
    assert len(office.carrier.carried) == 1
    assert office.waiting() == 0


def test_to_a_person_it_goes_where_they_are_by_then(office: Post) -> None:
    guest = office.server.client("Guest")
    ident = guest.ok("GET", "/api/me")["id"]
    store = office.server.site.store
    office.post(ident, "password-changed")

    def give(tx: Tx) -> None:
        tx.execute("UPDATE users SET email = 'late@example.org' WHERE id = ?", ident)

    office.server.run(store.transact(give))
    office.post("nobody-here", "password-changed")
    assert office.carry() == 2
    assert [to for _, to, _ in office.carrier.carried] == ["late@example.org"]
    assert office.waiting() == 0


def test_a_deleted_account_gets_no_more_letters(office: Post) -> None:
    guest = office.server.client("Guest")
    account = {"email": "gone@example.org", "password": "long enough", "name": "Gone"}
    guest.ok("POST", "/api/session/sign-up", account)
    assert office.waiting() == 1
    guest.ok("POST", "/api/me/delete", {"password": "long enough"})
    assert office.waiting() == 0


# -- The letter itself -----------------------------------------------------------------------


def written(kind: str, language: str = "en", **payload: Any) -> bytes:
    known = {"kind": kind, "to": "x", **payload}
    stamp = Stamp("noreply@games.example", "ann@example.org", "<1@games.example>", NOVEMBER)
    return as_mail(phrased(known, language, site=SITE, secret=SECRET), stamp)


@pytest.mark.parametrize("language", sorted(LETTERS))
@pytest.mark.parametrize("kind", sorted(LETTERS["en"]))
def test_every_kind_can_be_written(kind: str, language: str) -> None:
    words = LETTERS[language][kind]
    names = {name for _, name, _, _ in Formatter().parse(words.subject + words.text) if name}
    filled = {name: f"some {name}" for name in names - {"site", "link", "by_mail"}}
    read = message_from_bytes(written(kind, language, ticket="t", **filled), policy=default)
    assert read["To"] == "ann@example.org"
    assert read["From"] == "Open Plan <noreply@games.example>"
    assert read["Message-ID"] == "<1@games.example>"
    assert read["Auto-Submitted"] == "auto-generated"
    assert str(read["Date"]).startswith("Tue, 14 Nov 2023")
    body = read.get_body(("plain",))
    assert body is not None
    text = body.get_content()
    assert "{" not in text
    for name in filled:
        assert f"some {name}" in f"{text} {read['Subject']}"
    is_link = kind in ("sign-in", "reset", "confirm")
    assert (f"{SITE}/letter/{kind}#t." in text) == is_link


@pytest.mark.parametrize(
    "bad",
    ["a\r\nBcc: x@example.org", "a\nb", "a\rb", "a\0b", "a\u2028b", "a\x85b", "a\x0bb", "a\u202eb"],
)
def test_nothing_that_ends_a_line_reaches_a_header(
    bad: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = letters.Phrase("For {name}", "Hello {name}\n")
    monkeypatch.setitem(LETTERS["en"], "odd", words)
    mail = written("odd", name=bad)
    head = mail.partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0] for line in head.split(b"\r\n") if line[:1] != b" "]
    assert b"Bcc" not in names
    assert b"\0" not in head
    read = message_from_bytes(mail, policy=default)
    assert read["Subject"].startswith("For a")
    for address in (f"ann@example.org{bad[1:]}", f"{bad}@example.org"):
        with pytest.raises(Exception, match="mail address"):
            checked_email(address)
