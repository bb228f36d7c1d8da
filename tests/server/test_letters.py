"""Letters go out after the commit, each as one mail, however often it is tried."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from email import message_from_bytes
from email.policy import default
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest

from openplan.core.sentences import LANGUAGES
from openplan.mail.outbound.compose import Stamp, as_mail
from openplan.mail.outbound.letter import Letter, Words
from openplan.mail.outbound.transport import Transport, Undelivered
from openplan.server.mailing import sender
from openplan.server.mailing.account_letters import phrased
from openplan.server.mailing.sender import GIVEN_UP_AFTER
from openplan.server.notify import outbox
from openplan.server.notify.letters import (
    KINDS,
    AccountKind,
    AccountLetter,
    Notice,
    NoticeKind,
    QueuedLetter,
    TurnKind,
    TurnLetter,
    WholeKind,
    WholeLetter,
    post,
    queued,
)
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

    def post(self, to: str, kind: AccountKind = "no-account", until: int | None = None) -> None:
        letter = AccountLetter(to=to, at=self.clock(), kind=kind, until=until)
        self.server.run(self.server.site.store.transact(lambda tx: post(tx, letter)))

    def queue(self, payload: Mapping[str, Any]) -> None:
        """As another version of the program did."""
        work = partial(jobs.add, kind="letter", ident="old", payload=payload, now=self.clock())
        self.server.run(self.server.site.store.transact(work))

    def carry(self) -> int:
        return self.server.run(self.server.site.sender.carry())

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.server.run(self.server.site.store.read(lambda tx: tx.rows(tuple, sql)))

    def waiting(self) -> int:
        def work(tx: Tx) -> int:
            (found,) = tx.rows(int, "SELECT COUNT(*) FROM outbox WHERE kind = 'letter'")
            return found

        return self.server.run(self.server.site.store.read(work))


@pytest.fixture
def office(tmp_path: Path, store_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    """A site whose letters are carried when the test says so, and not by itself."""

    async def idle(_self: sender.Sender) -> None:
        return

    monkeypatch.setattr(sender.Sender, "run", idle)
    clock, carrier = VirtualClock(), Carrier()
    with cheap_passwords(), running(tmp_path, database=store_url, now=clock) as server:
        server.site.sender.transport = carrier
        yield Post(server, clock, carrier)


@pytest.mark.parametrize(
    ("letter", "error"),
    [
        ({"kind": "moved", "table": "t", "title": "PBM Cube Farm", "due_at": 0}, "ValidationError"),
        ({"kind": "telegram"}, "ValueError"),
    ],
)
def test_a_letter_that_this_program_cannot_write_waits_and_is_then_told_of(
    letter: dict[str, Any], error: str, office: Post
) -> None:
    """As an earlier version queued notices, or as a later one may queue something new: one that
    runs elsewhere could write it."""
    office.queue({"to": "ann@example.org", "at": office.clock(), **letter})
    office.post("bob@example.org")
    office.carry()
    assert [recipient for _, recipient, _ in office.carrier.carried] == ["bob@example.org"]
    why = f"this version of the program cannot write it ({error})"
    assert office.rows("SELECT trouble FROM outbox") == [(why,)]
    office.clock.go_on(GIVEN_UP_AFTER // 1_000_000 + 1)
    office.carry()
    assert office.waiting() == 0
    told = office.rows("SELECT kind, trouble FROM sent_letters WHERE trouble IS NOT NULL")
    assert told == [(letter["kind"], f"given up: {why}")]


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
            lambda tx: jobs.claim(tx, "letter", now=now, lease_for=outbox.LEASE),
            serializable=False,
        )
    )
    assert office.carry() == 0
    office.clock.go_on(outbox.LEASE // 1_000_000)
    assert office.carry() == 1
    assert office.waiting() == 0


def test_no_letter_without_what_it_tells(office: Post) -> None:
    store, now = office.server.site.store, office.clock()

    def fail(tx: Tx) -> None:
        post(tx, AccountLetter(to="ann@example.org", at=now, kind="no-account"))
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


# -- Letters that wait -----------------------------------------------------------------------

STORED: dict[str, QueuedLetter] = {
    '{"to": "u1", "kind": "password-changed", "at": 5}': AccountLetter(
        to="u1", at=5, kind="password-changed"
    ),
    '{"ticket": "t", "until": 9, "to": "a@b.example", "kind": "sign-in", "at": 5}': AccountLetter(
        to="a@b.example", at=5, kind="sign-in", until=9, ticket="t"
    ),
    '{"ticket": "t", "until": 9, "reply_to": "r@b.example", "to": "a@b.example", "kind": "confirm",'
    ' "at": 5}': AccountLetter(
        to="a@b.example", at=5, kind="confirm", until=9, ticket="t", reply_to="r@b.example"
    ),
    '{"table": "T", "ply": 3, "number": 2, "due": 7, "grace": 8, "seat": 1, "since": 2,'
    ' "to": "u1", "kind": "report", "at": 5}': TurnLetter(
        to="u1", at=5, kind="report", table="T", ply=3, number=2, seat=1, since=2, due=7, grace=8
    ),
    '{"table": "T", "ply": 3, "number": 2, "seat": null, "since": 0, "absent": [0, 2],'
    ' "master": {"act": "process", "turn": 2}, "to": "u1", "kind": "report", "at": 5}': TurnLetter(
        to="u1",
        at=5,
        kind="report",
        table="T",
        ply=3,
        number=2,
        seat=None,
        since=0,
        absent=(0, 2),
        master={"act": "process", "turn": 2},
    ),
    '{"table": "T", "ply": 0, "facts": {"due_at": 7}, "to": "u1", "kind": "moved",'
    ' "at": 5}': Notice(to="u1", at=5, kind="moved", table="T", ply=0, facts={"due_at": 7}),
    '{"table": "T", "ply": 4, "facts": {"by": null, "is_master": false, "to": ["all"],'
    ' "text": "x"}, "seat": 1, "to": "u1", "kind": "press", "at": 5}': Notice(
        to="u1",
        at=5,
        kind="press",
        table="T",
        ply=4,
        facts={"by": None, "is_master": False, "to": ["all"], "text": "x"},
        seat=1,
    ),
    '{"to": "u1", "kind": "answer", "at": 5, "letter": {"kind": "answer"}, "table": null,'
    ' "reply_to": "r@b.example", "answers": "<m@b.example>"}': WholeLetter(
        to="u1",
        at=5,
        kind="answer",
        letter={"kind": "answer"},
        reply_to="r@b.example",
        answers="<m@b.example>",
    ),
}
"""What earlier versions of the program have left in an outbox."""


@pytest.mark.parametrize("payload", STORED)
def test_what_waits_since_before_is_read_as_what_it_was(payload: str) -> None:
    job = jobs.Job(1, "letter", "old", json.loads(payload), 1, "lease")
    assert queued(job) == STORED[payload]


def test_every_kind_of_letter_is_of_one_sort_only() -> None:
    sorts = (AccountKind, TurnKind, NoticeKind, WholeKind)
    assert sorted(kind for sort in sorts for kind in get_args(sort)) == sorted(KINDS)


def test_a_letter_of_an_earlier_version_is_sent(office: Post) -> None:
    office.queue({"to": "ann@example.org", "kind": "no-account", "at": office.clock()})
    office.carry()
    assert [to for _, to, _ in office.carrier.carried] == ["ann@example.org"]


# -- The letter itself -----------------------------------------------------------------------


STAMP = Stamp("noreply@games.example", "ann@example.org", "<1@games.example>", NOVEMBER)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(AccountKind))
def test_every_kind_can_be_written(kind: AccountKind, language: str) -> None:
    letter = AccountLetter(to="x", at=NOVEMBER, kind=kind, ticket="t")
    mail = as_mail(phrased(letter, language, site=SITE, secret=SECRET), STAMP)
    read = message_from_bytes(mail, policy=default)
    assert read["To"] == "ann@example.org"
    assert read["From"] == "Open Plan <noreply@games.example>"
    assert read["Message-ID"] == "<1@games.example>"
    assert read["Auto-Submitted"] == "auto-generated"
    assert str(read["Date"]).startswith("Tue, 14 Nov 2023")
    body = read.get_body(("plain",))
    assert body is not None
    text = body.get_content()
    assert "{" not in text
    is_link = kind in ("sign-in", "reset", "confirm")
    assert (f"{SITE}/letter/{kind}#t." in text) == is_link


@pytest.mark.parametrize(
    "bad",
    ["a\r\nBcc: x@example.org", "a\nb", "a\rb", "a\0b", "a\u2028b", "a\x85b", "a\x0bb", "a\u202eb"],
)
def test_nothing_that_ends_a_line_reaches_a_header(bad: str) -> None:
    mail = as_mail(Letter("odd", f"For {bad}", [Words(f"Hello {bad}")]), STAMP)
    head = mail.partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0] for line in head.split(b"\r\n") if line[:1] != b" "]
    assert b"Bcc" not in names
    assert b"\0" not in head
    read = message_from_bytes(mail, policy=default)
    assert read["Subject"].startswith("For a")
    for address in (f"ann@example.org{bad[1:]}", f"{bad}@example.org"):
        with pytest.raises(Exception, match="mail address"):
            checked_email(address)
