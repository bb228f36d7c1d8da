"""A letter as mail: MIME parts and headers, the same bytes for the same letter every time."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime
from typing import Final

from openplan.mail.outbound.letter import Letter, as_html, as_text
from openplan.mail.outbound.pictures import as_png

KIND_HEADER: Final = "X-Openplan-Letter"
"""Every letter of ours has it, so that it is known again if it comes back."""

MAX_LINE: Final = 200
FOLDED: Final = 76


UNBROKEN: Final = frozenset(
    {"message-id", "in-reply-to", "references", "list-unsubscribe", "list-unsubscribe-post"}
)


class _Folded(EmailPolicy):
    """Left to itself the library writes what is longer than a line as encoded words, in which
    nobody looks for an id or an address (RFC 2047, 5). These are folded between their parts."""

    def fold_binary(self, name: str, value: str) -> bytes:
        if name.lower() not in UNBROKEN:
            return super().fold_binary(name, value)
        whole = f"{name}: {value}"
        parts = [whole] if len(whole) <= FOLDED else [f"{name}:", *str(value).split()]
        return ("\r\n ".join(parts) + "\r\n").encode("ascii", "replace")


_POLICY: Final = _Folded(linesep=SMTP.linesep)


@dataclass(frozen=True, slots=True)
class Stamp:
    """What is on the envelope."""

    sender: str
    recipient: str
    message_id: str
    at: int
    """Microseconds since 1970."""
    sender_name: str = "Open Plan"
    recipient_name: str = ""
    reply_to: str = ""
    in_reply_to: str = ""
    unsubscribe: str = ""
    more: Mapping[str, str] = field(default_factory=dict)


SIGNED: Final = (
    *(b"from", b"to", b"subject", b"date", b"message-id", b"reply-to"),
    *(b"in-reply-to", b"references", b"mime-version", b"content-type"),
    *(b"list-unsubscribe", b"list-unsubscribe-post"),
)
"""What a signature covers (RFC 6376, 5.4.1); without the last two nobody need believe that one
click is enough (RFC 8058, 4)."""


@dataclass(frozen=True, slots=True)
class Dkim:
    """A key to sign with, as PEM."""

    domain: str
    selector: str
    key: bytes


def one_line(text: str) -> str:
    """A text that may stand in a header: no line breaks, no control characters, not too long."""
    kept = ("".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text)).split()
    return " ".join(kept)[:MAX_LINE]


def as_mail(letter: Letter, stamp: Stamp, pdf: bytes = b"") -> bytes:
    """One mail. Made again it is the same to the byte, so that sending it twice is one mail. The
    pictures are drawn here, as PNG since mail programs show no SVG: call it in a thread. A PDF goes
    with it, if there is one."""
    mail = EmailMessage(policy=_POLICY)
    mail["From"] = Address(one_line(stamp.sender_name), addr_spec=stamp.sender)
    mail["To"] = Address(one_line(stamp.recipient_name), addr_spec=stamp.recipient)
    mail["Subject"] = one_line(letter.subject)
    mail["Date"] = format_datetime(datetime.fromtimestamp(stamp.at // 1_000_000, UTC))
    mail["Message-ID"] = stamp.message_id
    if stamp.in_reply_to:
        # An id is one word, whatever somebody's program made of it.
        answered = one_line(stamp.in_reply_to).replace(" ", "")
        mail["In-Reply-To"] = answered
        mail["References"] = answered
    if stamp.reply_to:
        mail["Reply-To"] = stamp.reply_to
    # RFC 3834: whoever answers by machine must not answer this.
    mail["Auto-Submitted"] = "auto-replied" if stamp.in_reply_to else "auto-generated"
    mail[KIND_HEADER] = one_line(letter.kind)
    if stamp.unsubscribe:
        mail["List-Unsubscribe"] = f"<{one_line(stamp.unsubscribe)}>"
        if stamp.unsubscribe.startswith("https:"):
            mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    for name, value in stamp.more.items():
        mail[name] = one_line(value)
    mail.set_content(as_text(letter), cte="quoted-printable")
    mail.add_alternative(as_html(letter), subtype="html", cte="quoted-printable")
    html = mail.get_payload(1)
    assert isinstance(html, EmailMessage)
    for picture in letter.pictures():
        html.add_related(
            as_png(picture.svg),
            maintype="image",
            subtype="png",
            cid=f"<{picture.name}>",
            disposition="inline",
            filename=f"{picture.name}.png",
        )
    if pdf:
        mail.add_attachment(pdf, maintype="application", subtype="pdf", filename="turn.pdf")
    for number, part in enumerate(part for part in mail.walk() if part.is_multipart()):
        mark = hashlib.sha256(f"{stamp.message_id} {number}".encode()).hexdigest()[:32]
        part.set_boundary(f"=_{mark}")
    return mail.as_bytes()


def signed(mail: bytes, dkim: Dkim) -> bytes:
    """The mail with a DKIM signature before it."""
    from dkim import sign

    there = {line.split(b":", 1)[0].lower() for line in mail.partition(b"\r\n\r\n")[0].split(b"\n")}
    signature: bytes = sign(
        mail,
        dkim.selector.encode(),
        dkim.domain.encode(),
        dkim.key,
        include_headers=[name for name in SIGNED if name in there],
    )
    return signature + mail
