"""Mail taken out of a real mailbox by IMAP."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread

import imap_tools
import pytest

from openplan.mail.inbound.mailbox import ImapSettings, Mailbox, MailboxError, Received
from openplan.mail.inbound.mime import MAX_MAIL
from openplan.mail.outbound.transport import Smtp, SmtpSettings, Undelivered
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


def polled(box: Mailbox) -> list[Received]:
    taken: list[Received] = []

    async def take(mail: Received) -> None:
        taken.append(mail)

    asyncio.run(box.poll(take))
    return taken


def test_what_another_program_has_opened_is_taken_all_the_same(box: Box) -> None:
    settings, new = box
    ours = Mailbox(settings)
    assert polled(ours) == []
    put(new, "1.a", b"Subject: 1\r\n\r\nA\r\n")
    with imap_tools.MailBoxUnencrypted(settings.host, settings.port).login(
        settings.user, settings.password
    ) as other:
        assert len(list(other.fetch(mark_seen=True))) == 1
        assert other.uids("UNSEEN") == []
    assert [mail.content for mail in polled(ours)] == [b"Subject: 1\r\n\r\nA\r\n"]
    assert polled(ours) == []
    # The place is what another process needs to go on from there.
    put(new, "2.b", b"Subject: 2\r\n\r\nB\r\n")
    assert [mail.content for mail in polled(Mailbox(settings, ours.place))] == [
        b"Subject: 2\r\n\r\nB\r\n"
    ]


def test_of_a_mailbox_numbered_anew_all_is_taken_since_the_last_look(box: Box) -> None:
    settings, new = box
    ours = Mailbox(settings)
    assert polled(ours) == []
    assert ours.place is not None
    before = replace(ours.place, validity=ours.place.validity - 1)
    now, day = int(time.time()), 86_400
    for days in (2, 9, 20):
        file = f"{30 - days}.a"  # the older, the smaller its number
        put(new, file, b"Subject: %d\r\n\r\nA\r\n" % days)
        os.utime(new / file, (now - days * day, now - days * day))
    renumbered = Mailbox(settings, before)
    renumbered.read_at = (now - 10 * day) * 1_000_000
    assert sorted(mail.content[9:11].strip() for mail in polled(renumbered)) == [b"2", b"9"]
    assert polled(renumbered) == []
    # Nobody knows when it was read: what is unread, as at the first time.
    assert [mail.content[9:11] for mail in polled(Mailbox(settings, before))] == [b"20"]


def test_when_it_arrived_is_what_the_mail_server_says(box: Box) -> None:
    settings, new = box
    put(new, "1.a", b"Date: Mon, 01 Jan 2001 00:00:00 +0000\r\n\r\nA\r\n")
    os.utime(new / "1.a", (1_700_000_000, 1_700_000_000))
    assert [mail.at for mail in polled(Mailbox(settings))] == [1_700_000_000_000_000]


def test_new_mail_ends_the_wait_where_the_server_tells_of_it(box: Box) -> None:
    settings, new = box
    ours = Mailbox(settings)
    polled(ours)

    async def wait() -> float:
        start = time.monotonic()
        waiting = asyncio.create_task(ours.wait(30))
        await asyncio.sleep(1)
        put(new, "1.a", b"Subject: 1\r\n\r\nA\r\n")
        await waiting
        return time.monotonic() - start

    assert asyncio.run(wait()) < 10
    # What came between the last look and the wait is not waited for.
    start = time.monotonic()
    asyncio.run(ours.wait(30))
    assert time.monotonic() - start < 10


# -- Certificates ----------------------------------------------------------------------------


@contextmanager
def impostor(folder: Path) -> Iterator[tuple[int, Path]]:
    """A server with a certificate that no known authority has signed."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                plain, _ = listener.accept()
            except OSError:
                return
            with suppress(OSError), context.wrap_socket(plain, server_side=True) as talk:
                talk.sendall(b"* BYE not today\r\n")

    thread = Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1], certificate
    finally:
        listener.close()


def test_an_unknown_certificate_is_not_believed(tmp_path: Path) -> None:
    with impostor(tmp_path) as (port, certificate):
        imap = ImapSettings("127.0.0.1", "judge", "secret", port, "tls", seconds=5)
        with pytest.raises(MailboxError, match=r"(?i)certificate"):
            asyncio.run(Mailbox(imap).check())
        known = replace(imap, authority=str(certificate))
        with pytest.raises(MailboxError, match="not today"):
            asyncio.run(Mailbox(known).check())
        smtp = SmtpSettings("127.0.0.1", port, "tls", seconds=5)
        with pytest.raises(Undelivered, match=r"(?i)certificate"):
            asyncio.run(Smtp(smtp).check())
        with pytest.raises(Undelivered) as refused:
            asyncio.run(Smtp(replace(smtp, authority=str(certificate))).check())
        assert "certificate" not in str(refused.value).lower()
