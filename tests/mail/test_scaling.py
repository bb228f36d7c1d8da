"""The time to judge a mail grows no faster than the mail, whatever is in it."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable

import pytest

from openplan.mail.inbound.lines import MAX_ENVELOPE, MAX_ENVELOPE_TEXT
from openplan.mail.inbound.mime import MAX_MAIL
from openplan.mail.inbound.reading import read
from tests.mail.desk import KEY, Desk
from tests.mail.sending import rulings, say
from tests.mail.understanding import understood

TEXT = b"Content-Type: text/plain\r\n\r\n"
PAGE = b"Content-Type: text/html\r\n\r\n"
FLOWED = b"Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n"
PARTS = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
DASHES = b"Content-Type: multipart/mixed; boundary=--\r\n\r\n"
QP = b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
B64 = b"Content-Transfer-Encoding: base64\r\n\r\n"
WIDE = b"Content-Type: text/plain; charset=utf-16\r\n\r\n"

# What is repeated, after which beginning.
HARD: dict[str, tuple[bytes, bytes]] = {
    "letters": (TEXT, b"a"),
    "lines": (TEXT, b"a\r\n"),
    "empty lines": (TEXT, b"\n"),
    "spaces": (TEXT, b" "),
    "marks": (TEXT, b">"),
    "quotations": (TEXT, b"> > a\r\n"),
    "begins": (TEXT, b"BEGIN\r\n"),
    "ends": (TEXT, b"END\r\n"),
    "forms": (TEXT, b"BEGIN\r\n____\r\nEND\r\n"),
    "an open envelope": (TEXT + b"BEGIN\r\n", b"1: card 23 N2\r\n"),
    "dashes before end": (TEXT + b"BEGIN\r\n", b"-"),
    "token-like": (TEXT, b"a-s1-1-"),
    "words for tokens": (TEXT, b"abcdefghij-"),
    "own lines": (TEXT, b":: a\r\n"),
    "control": (TEXT, b"\x00\x07"),
    "wide": (WIDE, b"\x00a\x00\n"),
    "halves": (TEXT, b"\xc3"),
    "flowed": (FLOWED, b"a \r\n"),
    "flowed quotations": (FLOWED, b">>> a \r\n> \r\n"),
    "openings": (PAGE, b"<"),
    "tags": (PAGE, b"<div>"),
    "closings": (PAGE, b"</div>"),
    "mixed tags": (PAGE, b"<b><i></b><p></i>"),
    "quoting tags": (PAGE, b"<blockquote>a<br>"),
    "tables": (PAGE, b"<table><tr><td>a"),
    "comments": (PAGE, b"<!--"),
    "entities": (PAGE, b"&amp"),
    "ampersands": (PAGE, b"&"),
    "attributes": (PAGE + b"<div ", b'class="a" '),
    "preformatted": (PAGE + b"<pre>", b"a\n"),
    "unseen": (PAGE, b"<script>"),
    "boundaries": (PARTS, b"--b\r\n"),
    "boundaries in a line": (PARTS, b"--b"),
    "boundary-like": (PARTS, b"--bb\r\n"),
    "dashes": (DASHES + b"a", b"-"),
    "lines of dashes": (DASHES, b"---- -\r\n"),
    "headers": (b"", b"X: y\r\n"),
    "folds": (b"X: y\r\n", b" a\r\n"),
    "quotes": (b"From: ", b'"'),
    "brackets": (b"From: ", b"("),
    "addresses": (b"From: ", b"<a@b>,"),
    "parameters": (b"Content-Type: text/plain", b'; a="'),
    "soft breaks": (QP, b"=\r\n"),
    "equal signs": (QP, b"="),
    "coded": (B64, b"QUJD"),
    "coded lines": (B64, b"QUJD\r\n"),
    "padding": (B64, b"QQ=="),
}
SMALL = 60_000
TIMES = 4


def assert_in_proportion(job: Callable[[int], Callable[[], object]], small: int) -> None:
    """Four times as much may take four times as long; a square would take sixteen times. What else
    the machine does can only make a job longer: the shortest of some tries is nearest the truth."""
    one = four = math.inf
    for _ in range(12):
        one, four = min(one, seconds(job(small))), min(four, seconds(job(small * TIMES)))
        if four < 9 * one + 0.01:
            return
    pytest.fail(f"{one * 1000:.1f} ms, then {four * 1000:.1f} ms for {TIMES} times as much")


def seconds(job: Callable[[], object]) -> float:
    """Of this thread alone, and without a collection of what others have left lying about."""
    gc.disable()
    try:
        start = time.thread_time()
        job()
        return time.thread_time() - start
    finally:
        gc.enable()


@pytest.mark.parametrize("kind", HARD)
def test_reading_takes_time_in_proportion(kind: str) -> None:
    head, piece = HARD[kind]

    def job(size: int) -> Callable[[], object]:
        raw = head + piece * (size // len(piece))
        return lambda: read(raw, KEY)

    # What is quick at first may be slow only when there is much of it.
    quick = seconds(job(SMALL)) < 0.02
    assert_in_proportion(job, SMALL * TIMES if quick else SMALL)


ENVELOPES = {
    "orders": "1: card 23 N2",
    "many orders in a line": "1: card 23 N2; " * 120,
    "starts": "1:" * 900,
    "open orders": "1: card",
    "pieces": "employee 0",
    "bare press": "PRESS TO P",
    "press that is open": "BROADCAST GREY\nhello",
    "commands": "STATUS",
    "bad commands": "ABSENCE " + "9" * 290,
    "noise": "x" * 1900,
    "bullets": "- * " * 450,
    "blanks": "1: card ____ at ____",
    "dashes": "-" * 1900 + "x",
}


@pytest.mark.parametrize("kind", ENVELOPES)
def test_an_envelope_takes_time_in_proportion_to_its_lines(kind: str) -> None:
    def job(count: int) -> Callable[[], object]:
        lines = (ENVELOPES[kind] + "\n") * (count // (1 + ENVELOPES[kind].count("\n")))
        raw = TEXT + f"BEGIN\n{lines}END\n".encode()
        return lambda: understood(raw)

    # No more than so many lines and letters are read at all.
    most = min(MAX_ENVELOPE, MAX_ENVELOPE_TEXT // (len(ENVELOPES[kind]) + 1))
    assert_in_proportion(job, most // TIMES)


def test_an_envelope_that_is_too_large_is_refused() -> None:
    raw = TEXT + b"BEGIN\n" + b"1: card 23 N2; 2: card 17 N3; 3: employee E2\n" * 999 + b"END\n"
    assert understood(raw) == ["trouble too-many-lines"]


def test_a_mail_has_so_many_orders_and_commands_and_no_more() -> None:
    desk = Desk()
    found = say(desk, *["WAIT"] * 60, *["1: card 48 N2"] * 60)
    refused = [code for _, ruling, code in rulings(found) if ruling == "refused"]
    assert refused == ["too-many"] * 20
    assert len(desk.acts) == 61


def test_a_mail_that_is_too_large_is_not_looked_at() -> None:
    raw = TEXT + b"BEGIN\r\n" + b"WAIT\r\n" * (MAX_MAIL // 6) + b"END\r\n"
    assert understood(raw) == ["trouble too-large"]
    assert Desk().acts == []
