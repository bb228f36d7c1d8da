"""Who is answered, and how often: a token always, a name that anybody can write seldom, and a
stranger once a day."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from openplan.mail.inbound.mailbox import Received
from openplan.mail.outbound.compose import Stamp, as_mail
from openplan.mail.outbound.letter import Letter, Words, as_text, from_data
from openplan.server.clock import DAY
from openplan.server.mailing.mail_identity import UNPROVED_A_DAY
from tests.printing.paper import text_of
from tests.server.running import Running, VirtualClock
from tests.server.test_overdue import Table, serving
from tests.server.test_saved_is_not_ready import mail

Site = tuple[Running, VirtualClock]


@pytest.fixture
def site(tmp_path: Path, store_url: str) -> Iterator[Site]:
    with serving(tmp_path, store_url) as pair:
        yield pair


def letters(server: Running, kind: str) -> list[str]:
    select = "SELECT payload FROM outbox WHERE kind = 'letter' ORDER BY id"
    found = server.run(server.site.store.read(lambda tx: tx.rows(str, select)))
    queued = [json.loads(payload) for payload in found]
    return [one["to"] for one in queued if one["kind"] == kind]


def plain(server: Running, sender: str, text: str, name: str) -> None:
    message = EmailMessage()
    message["From"], message["To"] = sender, "orders@games.example"
    message["Message-ID"] = f"<{name}@example.org>"
    message.set_content(text)
    server.run(server.site.inbox.receive(Received(message.as_bytes())))


def test_a_token_is_answered_each_time_whoever_forges_the_address(site: Site) -> None:
    table = Table(*site, "cube-farm")
    mail(table, "S", "STATUS")
    for number in range(UNPROVED_A_DAY + 5):
        plain(table.server, "s@example.org", "BEGIN\nLIST\nEND\n", f"forged-{number}")
    assert len(letters(table.server, "answer")) == 1 + UNPROVED_A_DAY
    for _ in range(45):
        mail(table, "S", "STATUS")
    assert len(letters(table.server, "answer")) == 1 + UNPROVED_A_DAY + 45
    # Of mail in which nothing is for us a few are answered: nobody talks to a robot for ever.
    for _ in range(30):
        mail(table, "S", "")
    assert len(letters(table.server, "answer")) == 1 + UNPROVED_A_DAY + 45 + 20


def test_a_stranger_who_asks_is_told_once_a_day_what_to_do(site: Site) -> None:
    server, clock = site
    plain(server, "Otto@example.net", "help\n", "a")
    assert letters(server, "stranger") == ["otto@example.net"]
    plain(server, "otto@example.net", "BEGIN\nLIST\nEND\n", "b")
    plain(server, "other@example.net", "Please help me with my orders.\n", "c")
    assert letters(server, "stranger") == ["otto@example.net"]
    clock.at += DAY + 1
    plain(server, "otto@example.net", "HELP\n", "d")
    assert letters(server, "stranger") == 2 * ["otto@example.net"]


def test_a_turn_comes_by_mail_to_be_printed(site: Site, tmp_path: Path) -> None:
    table = Table(*site, "cube-farm")
    mail(table, "P", "PRINT\nPRINT")
    select = "SELECT payload FROM outbox WHERE kind = 'letter' ORDER BY id"
    found = table.server.run(table.server.site.store.read(lambda tx: tx.rows(str, select)))
    (queued,) = [one for one in map(json.loads, found) if one["kind"] == "answer"]
    stamp = Stamp("judge@games.example", "p@example.org", "<m@games.example>", 0)
    made = table.server.site.sender._mail(from_data(queued["letter"]), stamp, queued["printed"])
    answer = message_from_bytes(made, policy=default)
    assert isinstance(answer, EmailMessage)
    (enclosed,) = answer.iter_attachments()
    assert (enclosed.get_content_type(), enclosed.get_filename()) == ("application/pdf", "turn.pdf")
    pdf = tmp_path / "turn.pdf"
    pdf.write_bytes(enclosed.get_content())
    text = text_of(pdf)
    assert "P: Product Development" in text
    assert "Phase 2, basement" in text
    body = answer.get_body(("plain",))
    assert body is not None
    assert "attached as a PDF" in " ".join(body.get_content().split())


def test_a_review_by_mail_is_of_a_match_that_one_has_played_and_that_is_over(site: Site) -> None:
    table = Table(*site, "cube-farm")
    mail(table, "P", "REVIEW\nREVIEW 99")
    select = "SELECT payload FROM outbox WHERE kind = 'letter' ORDER BY id"
    found = table.server.run(table.server.site.store.read(lambda tx: tx.rows(str, select)))
    (queued,) = [one for one in map(json.loads, found) if one["kind"] == "answer"]
    text = as_text(from_data(queued["letter"]))
    assert "REVIEW: a match is looked back on once it is over" in text
    assert "REVIEW: not found" in text
    reviews = "SELECT COUNT(*) FROM reviews"
    assert table.server.run(table.server.site.store.read(lambda tx: tx.rows(int, reviews))) == [0]


def test_long_headers_are_folded_and_never_encoded() -> None:
    answered = f"<{'a' * 120}@mail.example.org>"
    link = f"https://games.example/unsubscribe/{'x' * 120}"
    stamp = Stamp(
        "judge@games.example",
        "ann@example.org",
        f"<{'m' * 100}@games.example>",
        0,
        in_reply_to=answered,
        unsubscribe=link,
    )
    made = as_mail(Letter("answer", "Grüße " * 20, [Words("text")]), stamp)
    head = made.partition(b"\r\n\r\n")[0]
    unfolded = head.replace(b"\r\n ", b" ").replace(b":  ", b": ").decode("ascii").split("\r\n")
    found = dict(line.split(": ", 1) for line in unfolded)
    assert found["In-Reply-To"].strip() == found["References"].strip() == answered
    assert found["List-Unsubscribe"].strip() == f"<{link}>"
    assert found["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert found["Message-ID"].strip() == stamp.message_id
    assert "=?utf-8?" in found["Subject"]
    assert max(len(line) for line in head.split(b"\r\n")) < 998
