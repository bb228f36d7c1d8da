"""What mails are put together from, for tests: headers, bodies, parts, encodings, pages."""

from __future__ import annotations

import base64
import html
import quopri
from collections.abc import Sequence

Lines = Sequence[str]

SENDER = "Sal Example <sal@example.org>"
DATE = "Thu, 12 Nov 2026 20:15:00 +0100"
FOOTER = [
    "This e-mail and any attachments are confidential and intended solely for",
    "the addressee. If you are not the intended recipient, please delete it.",
    "Bitte denken Sie an die Umwelt, bevor Sie diese E-Mail ausdrucken.",
]


def headers(to: str, *fields: str, sender: str = SENDER, subject: str = "Re: turn 1") -> bytes:
    lines = [
        "Return-Path: <sal@example.org>",
        f"From: {sender}",
        f"To: <{to}>",
        f"Subject: {subject}",
        f"Date: {DATE}",
        "MIME-Version: 1.0",
        *fields,
    ]
    return "\r\n".join(lines).encode("utf-8") + b"\r\n"


def text(lines: Lines, ending: str = "\r\n") -> str:
    return "".join(line + ending for line in lines)


def quoted(lines: Lines, mark: str = "> ") -> list[str]:
    return [(mark + line).rstrip() for line in lines]


def b64(data: bytes) -> bytes:
    return base64.encodebytes(data).replace(b"\n", b"\r\n")


def qp(data: bytes) -> bytes:
    done = quopri.encodestring(data.replace(b"\r\n", b"\n"))
    return done.replace(b"\n", b"\r\n")


def single(to: str, body: bytes, *fields: str) -> bytes:
    return headers(to, *fields) + b"\r\n" + body


def multi(to: str, kind: str, parts: Sequence[tuple[Sequence[str], bytes]], *fields: str) -> bytes:
    mark = "----=_Part_17_4711"
    out = headers(to, f'Content-Type: multipart/{kind}; boundary="{mark}"', *fields) + b"\r\n"
    out += b"This is a message with several parts.\r\n"
    for names, body in parts:
        out += f"--{mark}\r\n".encode() + "\r\n".join(names).encode() + b"\r\n\r\n" + body + b"\r\n"
    return out + f"--{mark}--\r\n".encode()


def part(
    content: str,
    kind: str = "plain",
    charset: str = "utf-8",
    encoding: str = "8bit",
    more: str = "",
) -> tuple[list[str], bytes]:
    data = content.encode(charset, "replace")
    names = [
        f"Content-Type: text/{kind}; charset={charset}{more}",
        f"Content-Transfer-Encoding: {encoding}",
    ]
    return names, {"base64": b64, "quoted-printable": qp}.get(encoding, bytes)(data)


def page(lines: Lines, tag: str = "div", attributes: str = "") -> str:
    filled = (html.escape(line).replace("  ", " &nbsp;") or "<br>" for line in lines)
    return "".join(f"<{tag}{attributes}>{line}</{tag}>\n" for line in filled)


def whole_page(inside: str, style: str = "") -> str:
    return f"<html><head><title>Re</title>{style}</head><body>{inside}</body></html>\n"
