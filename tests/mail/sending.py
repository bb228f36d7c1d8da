"""Mails for tests of the judge, in the plainest shape."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from openplan.mail.commands.judge import Judgement, judge
from openplan.mail.commands.port import Post
from openplan.mail.inbound.reading import read
from tests.mail.desk import Desk, token

_numbers = count(1)


def mail(
    lines: Sequence[str],
    shown: str = "",
    *,
    sender: str = "sal@example.org",
    fields: Sequence[str] = (),
    wrapped: bool = True,
) -> bytes:
    """A new mail with these lines in an envelope, that shows this token."""
    head = [
        f"From: {sender}",
        f"To: orders{'+' if shown else ''}{shown}@example.net",
        f"Message-ID: <{next(_numbers)}@example.org>",
        *fields,
    ]
    body = ["BEGIN", *lines, "END"] if wrapped else list(lines)
    return "".join(f"{line}\r\n" for line in [*head, "", *body]).encode()


def judged(raw: bytes, post: Post) -> Judgement:
    return judge(read(raw, post.key), post)


def say(desk: Desk, *lines: str, shown: str | None = None, sender: str = "") -> Judgement:
    """Judge a mail from the seat S of the farm, or whoever shows this token."""
    shown = token() if shown is None else shown
    return judged(mail(lines, shown, sender=sender or "sal@example.org"), desk)


def rulings(judgement: Judgement) -> list[tuple[int, str, str]]:
    """What was ruled on the lines that somebody meant for us."""
    return [
        (verdict.first, verdict.ruling.value, verdict.code)
        for verdict in judgement.verdicts
        if verdict.code not in ("marker", "outside", "empty", "quoted")
    ]
