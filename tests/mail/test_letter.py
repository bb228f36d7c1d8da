"""A letter as text, as HTML and as mail."""

from __future__ import annotations

import re
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import dkim
import pytest

from openplan.mail.outbound.compose import KIND_HEADER, Dkim, Stamp, as_mail, one_line, signed
from openplan.mail.outbound.letter import (
    Drawing,
    Heading,
    Letter,
    Picture,
    Plain,
    Words,
    as_html,
    as_text,
    from_data,
)
from openplan.mail.outbound.pictures import as_png

SVG = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><circle r='9'/></svg>"
STAMP = Stamp(
    "judge@games.example", "ann@example.org", "<7.report@games.example>", 1_700_000_000_000_000
)


def letter(*, name: str = "top") -> Letter:
    return Letter(
        "report",
        "Turn 4 of Cube Farm",
        [
            Plain(":: Turn 4\n:: Deadline soon"),
            Heading("What happened"),
            Words("Ann <b>places</b> a card. " * 6 + "\n- lost: " + "the square is covered " * 5),
            Drawing("+-+\n|#|\n+-+", (Picture(name, SVG, "The top floor"),), "Above"),
        ],
    )


def parsed(mail: bytes) -> EmailMessage:
    message = message_from_bytes(mail, policy=default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def test_the_text_is_whole_by_itself_at_72_columns() -> None:
    text = as_text(letter())
    assert max(map(len, text.splitlines())) <= 72
    assert text.startswith(":: Turn 4\n:: Deadline soon\n\nWhat happened\n-------------\n\n")
    assert text.endswith("\n\n+-+\n|#|\n+-+\n")
    assert "\n- lost: the square" in text


def test_the_html_says_the_same_and_shows_the_pictures() -> None:
    html = as_html(letter())
    assert "&lt;b&gt;places&lt;/b&gt;" in html
    assert "<b>" not in html
    assert 'src="cid:top"' in html
    assert "|#|" not in html  # the picture stands for it
    assert "Above" in html
    assert "http" not in html


def test_on_paper_it_is_black_on_white_and_no_drawing_is_torn_in_two() -> None:
    html = as_html(letter())
    (printed,) = re.findall(r"<style>@media print\{(.*)\}</style></head>", html)
    rules = dict(re.findall(r"([^{}]+)\{([^{}]*)\}", printed))
    assert "color:#000!important" in rules["*"]
    assert "background:transparent!important" in rules["*"]
    assert "img,pre,.drawing" in rules
    assert rules["img,pre,.drawing"] == "break-inside:avoid"
    (drawing,) = re.findall(r'<div class="drawing">(.*?)</div>', html, re.DOTALL)
    assert "Above" in drawing
    assert 'src="cid:top"' in drawing
    assert "<button" not in html
    # The colours of the screen stand on the elements, and only importance beats those.
    assert "background:#ffffff" in html


def test_a_mail_has_text_html_and_pictures_and_nothing_from_outside() -> None:
    mail = parsed(as_mail(letter(), STAMP))
    kinds = [part.get_content_type() for part in mail.walk()]
    assert kinds == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    body = mail.get_body(("plain",))
    assert body is not None
    assert body.get_content().replace("\r\n", "\n") == as_text(letter())
    image = list(mail.walk())[-1]
    assert image["Content-ID"] == "<top>"
    assert image.get_content() == as_png(SVG)
    assert mail["Message-ID"] == STAMP.message_id
    assert mail["Date"] == "Tue, 14 Nov 2023 22:13:20 +0000"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail[KIND_HEADER] == "report"


def test_a_mail_made_again_is_the_same_to_the_byte() -> None:
    assert as_mail(letter(), STAMP) == as_mail(letter(), STAMP)


@pytest.mark.parametrize(
    "nasty", ["a\r\nBcc: eve@example.org", "a\nb", "a\0b", "a\u2028b", "a\x1bb"]
)
def test_no_line_break_or_control_character_reaches_a_header(nasty: str) -> None:
    stamp = Stamp(
        "judge@games.example", "ann@example.org", "<1@x>", 0, nasty, nasty, in_reply_to=nasty
    )
    mail = parsed(as_mail(Letter(nasty, nasty, [Words("x")]), stamp))
    assert "Bcc" not in mail
    for name in ("From", "To", "Subject", "In-Reply-To", KIND_HEADER):
        assert not set(mail[name]) & set("\r\n\0\u2028\x1b")
    assert one_line(nasty).startswith("a ")


def test_a_long_or_foreign_subject_survives() -> None:
    subject = "Züge für „Großraum“ 办公室 " + "x" * 150
    mail = parsed(as_mail(Letter("k", subject, [Words("x")]), STAMP))
    assert mail["Subject"] == subject


def test_unsubscribing_is_offered_where_there_is_a_way() -> None:
    stamp = Stamp("j@x.example", "a@x.example", "<1@x>", 0, unsubscribe="https://x.example/u/1")
    mail = parsed(as_mail(letter(), stamp))
    assert mail["List-Unsubscribe"] == "<https://x.example/u/1>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "List-Unsubscribe" not in parsed(as_mail(letter(), STAMP))


def test_a_signature_holds_and_a_changed_mail_does_not() -> None:
    """The key pair is for this test alone."""
    folder = Path(__file__).parent
    key, public = (folder / "dkim.key").read_bytes(), (folder / "dkim.txt").read_bytes().strip()
    mail = signed(as_mail(letter(), STAMP), Dkim("games.example", "s1", key))
    asked = []

    def look_up(name: bytes, timeout: int = 5) -> bytes:
        asked.append(name)
        return public

    assert dkim.verify(mail, dnsfunc=look_up)
    assert asked == [b"s1._domainkey.games.example."]
    assert not dkim.verify(mail.replace(b"Turn 4 of", b"Turn 5 of"), dnsfunc=look_up)


def test_a_signature_covers_all_that_a_mail_program_acts_on() -> None:
    """RFC 8058, 4: without it no program offers to unsubscribe by one click."""
    stamp = replace(STAMP, in_reply_to="<1@x.example>", unsubscribe="https://x.example/u/1")
    stamp = replace(stamp, reply_to="orders+t@games.example")
    folder = Path(__file__).parent
    key, public = (folder / "dkim.key").read_bytes(), (folder / "dkim.txt").read_bytes().strip()
    mail = signed(as_mail(letter(), stamp), Dkim("games.example", "s1", key))
    (tags,) = re.findall(r"\bh=([^;]*);", parsed(mail)["DKIM-Signature"])
    assert {name.strip().lower() for name in tags.split(":")} == {
        *("from", "to", "subject", "date", "message-id", "reply-to", "in-reply-to", "references"),
        *("mime-version", "content-type", "list-unsubscribe", "list-unsubscribe-post"),
    }

    def look_up(name: bytes, timeout: int = 5) -> bytes:
        return public

    assert dkim.verify(mail, dnsfunc=look_up)
    for one in (b"x.example/u/1", b"One-Click", b"1@x.example", b"orders+t"):
        assert not dkim.verify(mail.replace(one, one[::-1]), dnsfunc=look_up)


def test_a_drawing_becomes_a_png_the_same_every_time() -> None:
    drawn = as_png(SVG)
    assert drawn.startswith(b"\x89PNG\r\n\x1a\n")
    assert drawn == as_png(SVG)


def test_a_letter_that_was_queued_with_one_picture_is_still_written() -> None:
    picture = {"name": "top", "svg": SVG, "alt": "The top floor"}
    blocks = [
        {"is": "Drawing", "text": "|#|", "picture": picture},
        {"is": "Drawing", "text": "B hand", "picture": None},
    ]
    found = from_data({"kind": "answer", "subject": "x", "blocks": blocks})
    assert [one.name for one in found.pictures()] == ["top"]
    assert "B hand" in as_html(found)
