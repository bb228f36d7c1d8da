"""Mail taken out of a real mailbox by IMAP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from openplan.mail.inbound.mailbox import ImapSettings, Mailbox, MailboxError, Received
from openplan.mail.inbound.mime import MAX_MAIL
from tests.mail.dovecot import mailbox

Box = tuple[ImapSettings, Path]


@pytest.fixture
def box() -> Iterator[Box]:
    with mailbox() as found:
        yield found


def put(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    (folder / name).chmod(0o666)


def poll(settings: ImapSettings, failing: bytes = b"-") -> list[bytes]:
    taken = []

    async def take(mail: Received) -> None:
        if failing in mail.content:
            raise OSError("the disk is full")
        taken.append(mail.content)

    try:
        asyncio.run(Mailbox(settings).poll(take))
    except OSError:
        taken.append(b"failed")
    return taken


def test_unread_mail_is_taken_once_and_to_the_byte(box: Box) -> None:
    settings, new = box
    first, second = b"Subject: 1\r\n\r\nA\r\n", b"Subject: \xff\xfe\r\n\r\n\xe4B\r\n"
    put(new, "1.a", first)
    put(new, "2.b", second)
    assert asyncio.run(Mailbox(settings).check()) == 2
    assert poll(settings) == [first, second]
    assert poll(settings) == []
    assert asyncio.run(Mailbox(settings).check()) == 0


def test_mail_that_cannot_be_kept_stays_and_comes_again(box: Box) -> None:
    settings, new = box
    put(new, "1.a", b"Subject: 1\r\n\r\ngood\r\n")
    put(new, "2.b", b"Subject: 2\r\n\r\nbad\r\n")
    assert poll(settings, failing=b"bad") == [b"Subject: 1\r\n\r\ngood\r\n", b"failed"]
    assert poll(settings) == [b"Subject: 2\r\n\r\nbad\r\n"]


def test_of_a_mail_too_large_no_more_is_read_than_shows_that(box: Box) -> None:
    settings, new = box
    put(new, "1.a", b"Subject: 1\r\n\r\n" + b"x" * 99 + b"\r\n" * MAX_MAIL)
    (content,) = poll(settings)
    assert len(content) == MAX_MAIL + 1


def test_what_is_wrong_with_a_mailbox_is_said(box: Box) -> None:
    settings, _ = box
    for wrong, reason in [
        (replace(settings, password="wrong"), "[Aa]uthentication"),
        (replace(settings, folder="NoSuchFolder"), "NoSuchFolder|NONEXISTENT|doesn't exist"),
        (replace(settings, port=1), "refused"),
    ]:
        with pytest.raises(MailboxError, match=reason):
            asyncio.run(Mailbox(wrong).check())
