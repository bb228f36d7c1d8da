"""Mail that leaves and mail that comes in, over real sockets."""

from __future__ import annotations

import asyncio
import smtplib
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from openplan.mail.inbound.mailbox import MailListener, Received
from openplan.mail.inbound.mime import MAX_MAIL
from openplan.mail.outbound.transport import Folder, Smtp, SmtpSettings, Undelivered
from tests.ports import own_port

MAIL = b"From: j@games.example\r\nTo: ann@games.example\r\n\r\nA letter.\r\n.\r\n"
JUDGE = "judge@games.example"


class Taker:
    """Keeps what it is handed; fails as often as asked first."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.taken: list[Received] = []

    async def __call__(self, mail: Received) -> None:
        if self.failures:
            self.failures -= 1
            raise OSError("the disk is full")
        self.taken.append(mail)


@asynccontextmanager
async def listening(taker: Taker, *, lmtp: bool) -> AsyncIterator[int]:
    listener = MailListener(taker, lambda address: address.endswith("@games.example"), lmtp=lmtp)
    port = await listener.open("127.0.0.1", 0)
    try:
        yield port
    finally:
        await listener.close()


def smtp(port: int) -> Smtp:
    return Smtp(SmtpSettings("127.0.0.1", port, "none", seconds=10))


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(work())


def test_what_is_sent_by_smtp_arrives_to_the_byte_with_its_envelope() -> None:
    async def work() -> None:
        taker = Taker()
        async with listening(taker, lmtp=False) as port:
            await smtp(port).check()
            assert taker.taken == []
            await smtp(port).send(MAIL, "j@games.example", "ann@games.example", "<1@x>")
        assert taker.taken == [Received(MAIL, "j@games.example", ("ann@games.example",))]

    run(work)


def test_an_address_that_is_not_ours_is_refused_for_good() -> None:
    async def work() -> None:
        taker = Taker()
        async with listening(taker, lmtp=False) as port:
            with pytest.raises(Undelivered, match=r"550 .*Nobody") as refused:
                await smtp(port).send(MAIL, "j@games.example", "bob@elsewhere.example", "<1@x>")
        assert refused.value.for_good
        assert taker.taken == []

    run(work)


def test_a_mail_that_cannot_be_kept_now_may_come_again() -> None:
    async def work() -> None:
        taker = Taker(failures=1)
        async with listening(taker, lmtp=False) as port:
            with pytest.raises(Undelivered, match="451") as refused:
                await smtp(port).send(MAIL, "j@games.example", JUDGE, "<1@x>")
            assert not refused.value.for_good
            await smtp(port).send(MAIL, "j@games.example", JUDGE, "<1@x>")
        assert [mail.content for mail in taker.taken] == [MAIL]

    run(work)


def test_a_mail_larger_than_allowed_is_refused() -> None:
    async def work() -> None:
        taker = Taker()
        async with listening(taker, lmtp=False) as port:
            with pytest.raises(Undelivered, match="552"):
                await smtp(port).send(MAIL + b"x\r\n" * MAX_MAIL, "j@x.example", JUDGE, "<1@x>")
        assert taker.taken == []

    run(work)


def test_a_server_that_is_not_there_is_waited_for() -> None:
    port = own_port()

    async def work() -> None:
        for attempt in (smtp(port).check(), smtp(port).send(MAIL, "j@x.example", JUDGE, "<1@x>")):
            with pytest.raises(Undelivered) as down:
                await attempt
            assert not down.value.for_good

    run(work)


def test_a_mail_server_hands_mail_over_by_lmtp() -> None:
    async def work() -> None:
        taker = Taker()

        def deliver(port: int) -> dict[str, tuple[int, bytes]]:
            with smtplib.LMTP("127.0.0.1", port, timeout=10) as client:
                return client.sendmail("ann@example.org", [JUDGE, "no@elsewhere.example"], MAIL)

        async with listening(taker, lmtp=True) as port:
            refused = await asyncio.to_thread(deliver, port)
        assert list(refused) == ["no@elsewhere.example"]
        assert taker.taken == [Received(MAIL, "ann@example.org", (JUDGE,))]

    run(work)


def test_letters_in_a_folder_are_files_of_their_owner(tmp_path: Path) -> None:
    async def work() -> None:
        folder = Folder(tmp_path / "letters")
        for _ in range(2):
            await folder.send(MAIL, "j@x", "a@x", "<turn-4.../../etc/S@games.example>")

    run(work)
    (file,) = (tmp_path / "letters").iterdir()
    assert file.name == "turn-4...-..-etc-S.eml"
    assert file.read_bytes() == MAIL
    assert file.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "letters").stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "letters").write_text("in the way")

    async def work() -> None:
        with pytest.raises(Undelivered, match="cannot be written"):
            await Folder(tmp_path / "letters").send(MAIL, "j@x", "a@x", "<1@x>")

    run(work)
