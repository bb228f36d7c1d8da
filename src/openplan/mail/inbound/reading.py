"""From a mail's bytes to the lines that somebody wrote for us. Pure; nothing in a mail raises."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openplan.mail.inbound.html import text_of_html
from openplan.mail.inbound.lines import (
    Envelope,
    Line,
    Trouble,
    find_envelope,
    is_blank,
    split_lines,
)
from openplan.mail.inbound.mime import (
    MAX_MAIL,
    Headers,
    Part,
    TooMuch,
    only_address,
    parameters,
    read_parts,
    split_headers,
    text_of,
)
from openplan.mail.inbound.robots import (
    Bounce,
    bounce_in,
    robot_hint,
    seems_away,
    why_silent,
)
from openplan.mail.inbound.tokens import find_tokens

# The headers in which a mail server tells to which of our addresses a mail went.
_RECIPIENTS: Final = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
_SHOWN_TOKENS: Final = 4


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as far as it can be read without knowing who sent it."""

    name: str
    """The same for every copy of one mail: its Message-ID, or a hash if it has none."""
    sender: str
    """The one address in `From`; it proves nothing."""
    tokens: tuple[str, ...]
    """Words that may be tokens, the one that counts first."""
    lines: tuple[Line, ...]
    envelope: Envelope | Trouble
    silence: str = ""
    """Why this mail is neither obeyed nor answered, if it is not."""
    hint: str = ""
    """Why it is neither unless a token proves that somebody wrote it."""
    bounce: Bounce | None = None


def read(
    raw: bytes, key: bytes, recipients: Sequence[str] = (), return_path: str | None = None
) -> Mail:
    """`key` is that of `tokens`. A mail server may name the addresses to which it delivers, and the
    one to which a bounce would go; an empty one is a robot's."""
    raw = raw.lstrip(b"\r\n")
    headers, body = split_headers(raw[:MAX_MAIL])
    trouble: Trouble | None = None
    root = Part(headers, "text/plain", {})
    try:
        if len(raw) > MAX_MAIL:
            raise TooMuch("too-large")
        root = read_parts(raw)
        if headers.is_cut:
            raise TooMuch("header-too-large")
    except TooMuch as error:
        trouble = Trouble(error.code)
        kind, params = parameters(headers.first("content-type"))
        root = Part(headers, kind, params)
    lines: tuple[Line, ...] = ()
    envelope: Envelope | Trouble
    if trouble is not None:
        envelope = trouble
    else:
        lines, envelope = _chosen(_readings(root))
        if isinstance(envelope, Trouble) and envelope.code == "no-begin":
            envelope = _why_nothing(root, lines)
    silence = "empty-return-path" if return_path == "" else why_silent(headers, root, key)
    is_empty = isinstance(envelope, Trouble) or is_blank(envelope)
    if not silence and is_empty and seems_away(headers):
        silence = "away"
    return Mail(
        _name(headers, body),
        only_address(headers.first("from")),
        _tokens(headers, recipients, lines, envelope),
        lines,
        envelope,
        silence,
        robot_hint(headers),
        bounce_in(headers, root, key) if silence else None,
    )


def _name(headers: Headers, body: bytes) -> str:
    name = headers.first("message-id")
    if 3 <= len(name) <= 400:
        return name
    said = "\n".join([headers.first("from"), headers.first("date")])
    return hashlib.sha256(said.encode("utf-8", "replace") + b"\n\n" + body).hexdigest()


def _tokens(
    headers: Headers, recipients: Sequence[str], lines: Sequence[Line], envelope: Envelope | Trouble
) -> tuple[str, ...]:
    """In the order of how plainly they were meant: on the line BEGIN, in the address, elsewhere in
    what was written, in what was quoted."""
    found: dict[str, None] = {}
    if isinstance(envelope, Envelope) and envelope.token:
        found[envelope.token] = None
    texts = [*recipients]
    texts += [value for name in _RECIPIENTS for value in headers.all(name)]
    texts += [line.text for line in lines if not line.is_quoted]
    texts += [line.text for line in lines if line.is_quoted]
    for text in texts:
        found.update(dict.fromkeys(find_tokens(text)))
    return tuple(found)[:_SHOWN_TOKENS]


# -- The text --------------------------------------------------------------------------------

Reading = list[Part]
"""The parts with text, in their order."""


def _readings(part: Part) -> list[Reading]:
    """The ways in which a mail may be read, the best first: one, except where a part has
    alternatives."""
    if part.kind == "multipart/alternative" and part.parts:
        # The plain form first, wherever it stands.
        ordered = sorted(part.parts, key=lambda child: child.kind != "text/plain")
        return [reading for child in ordered for reading in _readings(child) if reading] or [[]]
    if part.kind.startswith("multipart/") and part.parts:
        if part.kind in ("multipart/digest", "multipart/report", "multipart/encrypted"):
            return [[]]
        ways = [_readings(child) for child in part.parts]
        most = max(len(readings) for readings in ways)
        return [
            [leaf for readings in ways for leaf in readings[min(n, len(readings) - 1)]]
            for n in range(most)
        ]
    attached = parameters(part.headers.first("content-disposition"))[0] == "attachment"
    is_text = part.kind in ("text/plain", "text/html") or part.kind.startswith("multipart/")
    return [[part] if is_text and not attached else []]


def _chosen(readings: list[Reading]) -> tuple[tuple[Line, ...], Envelope | Trouble]:
    """The first reading that has an envelope, or else the first that says anything at all."""
    best: tuple[tuple[Line, ...], Envelope | Trouble] = ((), Trouble("no-begin"))
    for reading in readings:
        lines: list[Line] = []
        for part in reading:
            lines += _lines_of(part, len(lines) + 1)
        envelope = find_envelope(lines)
        if isinstance(envelope, Envelope) or envelope.code != "no-begin":
            return tuple(lines), envelope
        if not best[0] and any(line.text for line in lines):
            best = tuple(lines), envelope
    return best


def _lines_of(part: Part, first: int) -> list[Line]:
    text, is_closed = text_of(part)
    if part.kind == "text/html":
        return split_lines(text_of_html(text), first, is_closed=is_closed)
    flowed = part.params.get("format", "").lower() == "flowed"
    deletes = part.params.get("delsp", "").lower() == "yes"
    return split_lines(text, first, is_closed=is_closed, flowed=flowed, deletes=deletes)


def _why_nothing(root: Part, lines: Sequence[Line]) -> Trouble:
    kinds = {leaf.kind for leaf in root.leaves()} | {root.kind}
    if kinds & {"multipart/encrypted", "application/pkcs7-mime", "application/pgp-encrypted"}:
        return Trouble("encrypted")
    if not any(line.text.strip() for line in lines):
        return Trouble("no-text")
    quoted = [line.number for line in lines if line.is_quoted and "begin" in line.text.lower()]
    return Trouble("quoted-begin", quoted[0]) if quoted else Trouble("no-begin")
