"""Mails in the shapes that programs give them. Written from how they behave, for tests.

A shape takes what somebody wrote and the letter that is answered, and gives the mail's bytes. What
was written comes as lines; a shape may wrap, encode, quote, sign and decorate, but says the same.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from textwrap import wrap

from tests.mail.pieces import (
    FOOTER,
    Lines,
    b64,
    multi,
    page,
    part,
    qp,
    quoted,
    single,
    text,
    whole_page,
)

Shape = Callable[[Lines, Lines, str], bytes]
"""(written, answered letter, address written to) -> mail"""


def plain(written: Lines, letter: Lines, to: str) -> bytes:
    return single(to, text(written).encode(), "Content-Type: text/plain; charset=utf-8")


def no_mime_lf_only(written: Lines, letter: Lines, to: str) -> bytes:
    return single(to, text(written).encode()).replace(b"\r\n", b"\n").replace(b"MIME-V", b"X-V")


def _gmail(body: list[str], inside: str, to: str) -> bytes:
    return multi(
        to,
        "alternative",
        [
            part(text(body), more="; format=flowed", encoding="quoted-printable"),
            part(inside, "html", encoding="quoted-printable"),
        ],
        "X-Google-Smtp-Source: AGHT+IE",
    )


def gmail_top(written: Lines, letter: Lines, to: str) -> bytes:
    said = "On Thu, Nov 12, 2026 at 8:00 PM Open Plan <judge@example.net> wrote:"
    inside = f'<div dir="ltr">{page(written)}</div><br><div class="gmail_quote"><div>{said}</div>'
    inside += f'<blockquote class="gmail_quote">{page(letter)}</blockquote></div>'
    return _gmail([*written, "", said, "", *quoted(letter)], inside, to)


def gmail_bottom(written: Lines, letter: Lines, to: str) -> bytes:
    said = "On Thu, Nov 12, 2026 at 8:00 PM Open Plan <judge@example.net> wrote:"
    inside = f'<div class="gmail_quote"><div>{said}</div><blockquote>{page(letter)}</blockquote>'
    inside += f"</div>{page(written)}"
    return _gmail([said, "", *quoted(letter), "", *written], inside, to)


def gmail_inline(written: Lines, letter: Lines, to: str) -> bytes:
    body = ["On Thu, Nov 12, 2026, Open Plan wrote:", *quoted(letter[:3])]
    for line in written:
        body += [line, *quoted(letter[3:4])]
    return _gmail([*body, *quoted(letter[4:])], page(written), to)


def outlook_web(written: Lines, letter: Lines, to: str) -> bytes:
    """No marks: a rule, then the headers of the letter and the letter itself."""
    head = ["From: Open Plan <judge@example.net>", "Sent: Thursday, November 12, 2026 8:00 PM"]
    rule = "________________________________"
    inside = page(written) + '<hr><div id="divRplyFwdMsg">' + page(head) + "</div>" + page(letter)
    return multi(
        to,
        "alternative",
        [
            part(text([*written, "", rule, *head, "", *letter]), encoding="base64"),
            part(whole_page(inside), "html", encoding="base64"),
        ],
        "X-MS-Has-Attach: no",
        "Thread-Topic: turn 1",
    )


def outlook_plain(written: Lines, letter: Lines, to: str) -> bytes:
    body = [*written, "", "-----Original Message-----", "From: Open Plan", "Subject: turn 1", ""]
    return single(
        to,
        text([*body, *letter]).encode("cp1252", "replace"),
        "Content-Type: text/plain; charset=Windows-1252",
    )


def outlook_bottom(written: Lines, letter: Lines, to: str) -> bytes:
    """Written below a letter that is quoted without marks."""
    body = ["-----Original Message-----", "From: Open Plan", "", *letter, "", *written]
    return single(to, text(body).encode(), "Content-Type: text/plain; charset=utf-8")


def outlook_word(written: Lines, letter: Lines, to: str) -> bytes:
    style = "<style><!-- p.MsoNormal {margin:0cm;} --></style>"
    inside = page(written, "p", ' class="MsoNormal"').replace("<br>", "<o:p>&nbsp;</o:p>")
    inside += (
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>From:'
    )
    inside += f"</b> Open Plan<br></p></div>{page(letter, 'p')}"
    return single(
        to,
        b64(whole_page(inside, style).encode("utf-8")),
        "Content-Type: text/html; charset=utf-8",
        "Content-Transfer-Encoding: base64",
    )


def apple_mail(written: Lines, letter: Lines, to: str) -> bytes:
    body = [*written, "", "> Am 12.11.2026 um 20:00 schrieb Open Plan <judge@example.net>:", "> "]
    return single(
        to,
        qp(text([*body, *quoted(letter)]).encode()),
        'Content-Type: text/plain; charset="utf-8"; format=flowed; delsp=yes',
        "Content-Transfer-Encoding: quoted-printable",
        "X-Mailer: Apple Mail (2.3774)",
    )


def apple_attachments(written: Lines, letter: Lines, to: str) -> bytes:
    """The text in two parts around a picture."""
    picture = ["Content-Type: image/png; name=map.png", "Content-Transfer-Encoding: base64"]
    return multi(
        to,
        "mixed",
        [
            part(text(["Hello!"])),
            (picture, b64(bytes(range(200)))),
            part(text([*written, "", *FOOTER])),
            (
                ["Content-Type: text/plain", "Content-Disposition: attachment"],
                b"BEGIN\r\nWAIT\r\nEND",
            ),
        ],
    )


def iphone(written: Lines, letter: Lines, to: str) -> bytes:
    body = [*written, "", "Sent from my iPhone", "", "> On 12 Nov 2026, Open Plan wrote:", ">"]
    return single(
        to,
        b64(text([*body, *quoted(letter)]).encode()),
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: base64",
        "X-Mailer: iPhone Mail (23B85)",
    )


def _flowed(lines: Lines, width: int = 66) -> list[str]:
    found: list[str] = []
    for line in lines:
        pieces = wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
        found += [f"{piece} " for piece in pieces[:-1]] + [pieces[-1]]
    return found


def thunderbird(written: Lines, letter: Lines, to: str) -> bytes:
    body = ["On 12/11/2026 20:00, Open Plan wrote:", *quoted(letter), "", *_flowed(written)]
    body += ["", "-- ", "Sal, Sales & Marketing", "Tel. 1: 2345"]
    return single(to, text(body).encode(), "Content-Type: text/plain; charset=UTF-8; format=flowed")


def thunderbird_de(written: Lines, letter: Lines, to: str) -> bytes:
    body = [
        *written,
        "",
        "Mit freundlichen Grüßen",
        "Sal",
        "",
        "Am 12.11.26 um 20:00 schrieb Open Plan:",
    ]
    return single(
        to,
        text([*body, *quoted(letter)]).encode(),
        "Content-Type: text/plain; charset=UTF-8; format=flowed",
        "Content-Transfer-Encoding: 8bit",
        "Content-Language: de-DE",
    )


def yahoo(written: Lines, letter: Lines, to: str) -> bytes:
    inside = f'<div class="ydp12"><div>{page(written)}</div></div>'
    inside += (
        f'<div class="yahoo_quoted"><div>On Thursday, Open Plan wrote:</div>{page(letter)}</div>'
    )
    return single(
        to,
        qp(whole_page(inside).encode()),
        "Content-Type: text/html; charset=UTF-8",
        "Content-Transfer-Encoding: quoted-printable",
    )


def android(written: Lines, letter: Lines, to: str) -> bytes:
    body = [*written, "", "-------- Original Message --------", "From: Open Plan", "", *letter]
    return single(
        to,
        qp(text(body).encode()),
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
    )


def samsung(written: Lines, letter: Lines, to: str) -> bytes:
    inside = page(written, "p", ' dir="auto"') + "<p>Sent from my Galaxy</p>"
    inside += f"<blockquote type=cite>{page(letter)}</blockquote>"
    return single(
        to,
        b64(whole_page(inside).encode()),
        "Content-Type: text/html; charset=utf-8",
        "Content-Transfer-Encoding: base64",
    )


def web_de(written: Lines, letter: Lines, to: str) -> bytes:
    """HTML only, the letter in a box with German headers, lines parted by <br>."""
    inside = "<div>" + "<br/>\r\n".join(html.escape(line) for line in written) + "<br/>&nbsp;</div>"
    inside += (
        '<div name="quote" style="border-left: 2px solid #C3D9E5;"><div><b>Gesendet:</b> Donnerstag'
    )
    inside += f"<br/><b>Von:</b> Open Plan</div>{page(letter)}</div>"
    return single(to, whole_page(inside).encode(), "Content-Type: text/html; charset=UTF-8")


def french(written: Lines, letter: Lines, to: str) -> bytes:
    body = [
        "Bonjour à tous,",
        "",
        *written,
        "",
        "Envoyé de mon mobile",
        "",
        "Le jeu. 12 nov. 2026 à 20:00, Open Plan a écrit :",
    ]
    return single(
        to,
        qp(text([*body, *quoted(letter)]).encode("cp1252", "replace")),
        "Content-Type: text/plain; charset=iso-8859-1",
        "Content-Transfer-Encoding: quoted-printable",
    )


def spanish_html(written: Lines, letter: Lines, to: str) -> bytes:
    inside = f"<p>¡Hola!</p><ul>{page(written, 'li')}</ul><p>El jue, 12 nov 2026, escribió:</p>"
    inside += f"<blockquote>{page(letter)}</blockquote>"
    return single(
        to,
        whole_page(inside).encode("iso-8859-15", "replace"),
        "Content-Type: text/html; charset=ISO-8859-15",
    )


def polish(written: Lines, letter: Lines, to: str) -> bytes:
    body = ["Cześć,", *written, "Pozdrawiam, Sal", "W dniu 12.11.2026 o 20:00, Open Plan pisze:"]
    return single(
        to,
        text([*body, *quoted(letter, ">")]).encode("iso-8859-2", "replace"),
        "Content-Type: text/plain; charset=iso-8859-2",
    )


def russian(written: Lines, letter: Lines, to: str) -> bytes:
    body = ["Привет!", *written, "Спасибо", "12.11.2026, Open Plan пишет:"]
    return single(
        to,
        b64(text([*body, *quoted(letter, "| ")]).encode("koi8-r", "replace")),
        "Content-Type: text/plain; charset=koi8-r",
        "Content-Transfer-Encoding: base64",
    )


def japanese(written: Lines, letter: Lines, to: str) -> bytes:
    """Figures, letters and signs of full width."""
    wide = [
        line.translate({n: n + 0xFEE0 for n in range(0x21, 0x7F) if n != 0x2D} | {0x20: 0x3000})
        for line in written
    ]
    return single(
        to,
        text(["こんにちは", *wide, "よろしく", *quoted(letter)]).encode("iso-2022-jp", "replace"),
        "Content-Type: text/plain; charset=ISO-2022-JP",
        "Content-Transfer-Encoding: 7bit",
    )


def arabic_figures(written: Lines, letter: Lines, to: str) -> bytes:
    figures = {ord(str(n)): chr(0x660 + n) for n in range(10)}
    return single(
        to,
        text([line.translate(figures) for line in written]).encode(),
        "Content-Type: text/plain; charset=utf-8",
    )


def utf_16(written: Lines, letter: Lines, to: str) -> bytes:
    return single(
        to,
        b64(text([*written, *quoted(letter)]).encode("utf-16")),
        "Content-Type: text/plain; charset=utf-16",
        "Content-Transfer-Encoding: base64",
    )


def utf_16_be_unmarked(written: Lines, letter: Lines, to: str) -> bytes:
    return single(
        to,
        b64(text([*written, *quoted(letter)]).encode("utf-16-be")),
        "Content-Type: text/plain; charset=utf-16",
        "Content-Transfer-Encoding: base64",
    )


def utf_16_html_raw(written: Lines, letter: Lines, to: str) -> bytes:
    return single(
        to,
        whole_page(page(written)).encode("utf-16"),
        "Content-Type: text/html",
        "Content-Transfer-Encoding: binary",
    )


def smart(written: Lines, letter: Lines, to: str) -> bytes:
    """Spaces that do not break, long dashes, curly quotes, invisible joiners."""
    nice = [
        line.replace(" ", "\u00a0").replace("- ", "\u2013 ").replace("'", "\u2019")
        for line in written
    ]
    nice = ["\u200b" + line.replace("card", "ca\u00adrd") for line in nice]
    return single(
        to,
        text(["\u201cHello\u201d \u2014 here they are\u2026", *nice]).encode(),
        "Content-Type: text/plain; charset=utf-8",
    )


def wrapped(written: Lines, letter: Lines, to: str) -> bytes:
    """Hard breaks at 24 columns, as some phones make them."""
    narrow = [
        piece
        for line in written
        for piece in wrap(line, 24, break_long_words=False, break_on_hyphens=False) or [""]
    ]
    return single(
        to,
        text([*narrow, "", *quoted(letter)]).encode(),
        "Content-Type: text/plain; charset=us-ascii",
    )


def company(written: Lines, letter: Lines, to: str) -> bytes:
    inside = page(written, "td").replace("<td>", "<tr><td>").replace("</td>", "</td></tr>")
    inside = f"<table>{inside}</table><p style='font-size:8px'>{' '.join(FOOTER)}</p>"
    inside += "<div style='display:none'>BEGIN<br>WAIT<br>END<br></div>"
    return multi(
        to,
        "related",
        [
            part(whole_page(inside), "html", encoding="base64"),
            (["Content-Type: image/gif", "Content-ID: <logo>"], b"GIF89a"),
        ],
    )


def signed(written: Lines, letter: Lines, to: str) -> bytes:
    return multi(
        to,
        "signed; micalg=sha-256",
        [
            part(text([*written, "", *quoted(letter, "JD> ")])),
            (["Content-Type: application/pkcs7-signature"], b"MIAGCSqG"),
        ],
    )


def clear_signed(written: Lines, letter: Lines, to: str) -> bytes:
    body = [
        "-----BEGIN PGP SIGNED MESSAGE-----",
        "Hash: SHA512",
        "",
        *written,
        "-----BEGIN PGP SIGNATURE-----",
        "iQEzBAEBCgAd",
        "-----END PGP SIGNATURE-----",
    ]
    return single(to, text(body).encode())


def proton(written: Lines, letter: Lines, to: str) -> bytes:
    inside = page(written) + '<div class="protonmail_quote">On Thursday, Open Plan wrote:<br>'
    inside += f'<blockquote class="protonmail_quote">{page(letter)}</blockquote></div>'
    return multi(
        to,
        "alternative",
        [
            part("This message is HTML.\r\n", encoding="quoted-printable"),
            part(inside, "html", encoding="quoted-printable"),
        ],
    )


def nested(written: Lines, letter: Lines, to: str) -> bytes:
    """A list's footer around an alternative, as gateways do it."""
    inner = (
        "--in\r\nContent-Type: text/plain\r\n\r\n"
        + text(written)
        + "\r\n--in\r\nContent-Type: text/html\r\n\r\n"
        + whole_page(page(written))
        + "\r\n--in--\r\n"
    )
    return multi(
        to,
        "mixed",
        [
            (["Content-Type: multipart/alternative; boundary=in"], inner.encode()),
            part(text(["_____", *FOOTER])),
        ],
    )


def bold(written: Lines, letter: Lines, to: str) -> bytes:
    """Text made from bold writing, with rules and stars."""
    marks = {"BEGIN": "*BEGIN*", "END": "--- *END* ---"}
    return single(
        to,
        text(["Hi,", "------", *(marks.get(line, line) for line in written), "______"]).encode(),
        "Content-Type: text/plain; charset=x-unknown",
    )


def cr_only(written: Lines, letter: Lines, to: str) -> bytes:
    return single(
        to, text(written, "\r").encode() + b"\r\n", "Content-Type: text/plain; charset=utf-8"
    )


def shouted(written: Lines, letter: Lines, to: str) -> bytes:
    return single(
        to,
        text([f"   {line.upper()}  " for line in written]).encode(),
        "content-type: TEXT/PLAIN; CHARSET=UTF8",
    )


SHAPES: dict[str, Shape] = {
    shape.__name__.replace("_", "-"): shape
    for shape in (
        plain, no_mime_lf_only, gmail_top, gmail_bottom, gmail_inline, outlook_web, outlook_plain,
        outlook_bottom, outlook_word, apple_mail, apple_attachments, iphone, thunderbird,
        thunderbird_de, yahoo, android, samsung, web_de, french, spanish_html, polish, russian,
        japanese, arabic_figures, utf_16, utf_16_be_unmarked, utf_16_html_raw, smart, wrapped,
        company, signed, clear_signed, proton, nested, bold, cr_only, shouted,
    )
}  # fmt: skip
