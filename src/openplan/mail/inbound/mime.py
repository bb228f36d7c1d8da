"""A mail's bytes as headers and parts, read defensively (threat 12).

The standard library's parser raises on malformed headers, recurses as deep as a mail is nested and
is quadratic in places. Here every step goes over the bytes once, sizes are checked first, and what
somebody sent never raises anything but `TooMuch`.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

MAX_MAIL: Final = 1 << 20
"""More of a mail than this is not looked at."""
MAX_HEADER: Final = 16 << 10
MAX_DEPTH: Final = 20
MAX_PARTS: Final = 200


class TooMuch(Exception):
    """More than is read of any mail: its code says of what."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


# -- Headers ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Headers:
    """By their names in small letters, each still in its lines."""

    fields: Mapping[str, Sequence[Sequence[bytes]]]
    is_cut: bool = False
    """Whether one was left out, since it is too long."""

    def all(self, name: str) -> list[str]:
        """Unfolded, without control characters."""
        return [_header_text(lines) for lines in self.fields.get(name, ())]

    def first(self, name: str) -> str:
        return next(iter(self.all(name)), "")


_NAME: Final = re.compile(rb"[!-9;-~]{1,200}(?=[ \t]*:)")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def split_headers(data: bytes) -> tuple[Headers, bytes]:
    """The headers end at an empty line. A line among them that is none is passed over: what comes
    after it may tell that a robot writes. So is a stray return by itself, unless all lines end so,
    as where line ends were translated twice."""
    fields: list[tuple[bytes, list[bytes], int]] = []
    is_doubled = data[: data.find(b"\n") + 1].endswith(b"\r\r\n")
    ends = (b"", b"\r", b"\r\r") if is_doubled else (b"", b"\r")
    at = 0
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end + 1
        ended = data[at:end].removesuffix(b"\n")
        line = ended.rstrip(b"\r")
        at = end
        if ended in ends:
            break
        if line.startswith((b" ", b"\t")) and fields:
            name, lines, size = fields[-1]
            if size <= MAX_HEADER:
                lines.append(line)
            fields[-1] = name, lines, size + len(line)
        elif found := _NAME.match(line):
            value = line[found.end() :].lstrip(b" \t")[1:]
            fields.append((found[0], [value], len(line)))
    kept: dict[str, list[list[bytes]]] = {}
    for name, lines, size in fields:
        if size <= MAX_HEADER:
            kept.setdefault(name.decode("ascii").lower(), []).append(lines)
    return Headers(kept, any(size > MAX_HEADER for _, _, size in fields)), data[at:]


def _header_text(lines: Sequence[bytes]) -> str:
    data = b" ".join(line.strip(b" \t\r") for line in lines)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return _CONTROLS.sub(" ", text).strip()


_WORD: Final = re.compile(
    r"=\?([\w.-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,400})\?=", re.IGNORECASE
)


def decoded_words(text: str) -> str:
    """Encoded words (RFC 2047) as the letters they stand for."""

    def decoded(word: re.Match[str]) -> str:
        data = word[3].encode("ascii", "replace")
        if word[2] in "qQ":
            return _decoded(binascii.a2b_qp(data, header=True), word[1])
        return _decoded(_from_base64(data)[0], word[1])

    return _WORD.sub(decoded, re.sub(r"\?=\s+=\?", "?==?", text[:4000]))


_PARAMETER: Final = re.compile(r';\s*([^\s=;"]{1,60})\s*=\s*(?:"((?:[^"\\]|\\.){0,300})"|([^;]*))')


def parameters(value: str) -> tuple[str, dict[str, str]]:
    """`text/plain; charset=utf-8` as its two parts, all but quoted values in lower case."""
    value = value[:2000]
    kind = value.partition(";")[0].strip().lower()
    found: dict[str, str] = {}
    for match in _PARAMETER.finditer(value):
        quoted = match[2]
        text = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else match[3].strip()
        found.setdefault(match[1].lower(), text)
    return kind, found


_ADDRESS: Final = re.compile(r'[^\s<>(),:;"@\\\[\]]{1,64}@[^\s<>(),:;"@\\\[\]]{1,255}')


def only_address(value: str) -> str:
    """The one address of a header, in lower case; nothing if there are several or none. Names and
    comments may hold anything, also what looks like an address, and count for nothing."""
    plain: list[str] = []
    depth = 0
    quoted = escaped = False
    for letter in value:
        if escaped:
            escaped = False
        elif letter == "\\" and (quoted or depth):
            escaped = True
        elif letter == '"' and not depth:
            quoted = not quoted
        elif quoted:
            pass
        elif letter == "(":
            depth += 1
        elif letter == ")" and depth:
            depth -= 1
        elif not depth:
            plain.append(letter)
    text = "".join(plain)
    if text.count("<") > 1 or text.count("@") != 1 or "," in text or quoted or depth:
        return ""
    if "<" in text:
        text = text.partition("<")[2]
        if not text.rstrip().endswith(">"):
            return ""
        text = text.rstrip()[:-1]
    text = text.strip()
    return text.lower() if _ADDRESS.fullmatch(text) else ""


# -- Parts -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    headers: Headers
    kind: str
    params: dict[str, str]
    body: bytes = b""
    parts: tuple[Part, ...] = ()
    is_closed: bool = False
    """A boundary follows, so that nothing of it can be missing."""

    def leaves(self) -> Iterator[Part]:
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


@dataclass(slots=True)
class _Count:
    parts: int = field(default=0)


def read_parts(data: bytes) -> Part:
    """The tree of a mail; `TooMuch` if it is too deep or has too many parts."""
    return _read_part(data, 0, _Count(), is_closed=False)


def _read_part(data: bytes, depth: int, count: _Count, *, is_closed: bool) -> Part:
    count.parts += 1
    if depth > MAX_DEPTH:
        raise TooMuch("too-deep")
    if count.parts > MAX_PARTS:
        raise TooMuch("too-many-parts")
    headers, body = split_headers(data)
    kind, params = parameters(headers.first("content-type"))
    if not re.fullmatch(r"[\w.+-]+/[\w.+-]+", kind):
        kind = "text/plain"
    boundary = params.get("boundary", "").rstrip()
    if not kind.startswith("multipart/") or not boundary:
        return Part(headers, kind, params, body, (), is_closed)
    parts = tuple(
        _read_part(piece, depth + 1, count, is_closed=closed)
        for piece, closed in _pieces(body, boundary.encode("utf-8", "replace"))
    )
    return Part(headers, kind, params, body, parts, is_closed)


def _pieces(body: bytes, boundary: bytes) -> Iterator[tuple[bytes, bool]]:
    """What lies between the boundary's lines, and whether a boundary follows it."""
    mark = b"--" + boundary
    start = -1
    at = 0
    while (at := body.find(mark, at)) >= 0:
        if at and body[at - 1] != 10:
            at += len(mark)
            continue
        end = body.find(b"\n", at)
        end = len(body) if end < 0 else end
        rest = body[at + len(mark) : end].strip()
        if rest not in (b"", b"--"):
            at = end
            continue
        if start >= 0:
            piece = body[start:at]
            # The line break before a boundary belongs to the boundary.
            yield piece[: -2 if piece.endswith(b"\r\n") else -1], True
        start = -1 if rest else end + 1
        if rest:
            return
        at = end
    if 0 <= start < len(body):
        yield body[start:], False


# -- What a part says ------------------------------------------------------------------------

_ALIASES: Final = {"": "utf-8", "unknown-8bit": "utf-8", "default": "utf-8", "x-unknown": "utf-8"}
# No others: some of the codecs that Python knows are no charsets, and some are slow.
_CHARSETS: Final = re.compile(
    r"utf-(?:8|8-sig|16|16-le|16-be|32|32-le|32-be)|ascii|iso8859-\d+|cp\d{3,4}|koi8-[rtu]"
    r"|mac-(?:roman|cyrillic|greek|latin2|turkish|iceland)|gb2312|gbk|gb18030|hz|big5(?:hkscs)?"
    r"|euc_(?:jp|kr|jis_2004|jisx0213)|shift_jis\w*|iso2022_\w+|johab|tis-620|ptcp154|kz1048"
)


def text_of(part: Part) -> tuple[str, bool]:
    """A leaf as text, and whether its end is certain. Bytes that mean nothing in its charset are
    shown as such."""
    encoding = part.headers.first("content-transfer-encoding").partition(";")[0].strip().lower()
    data, is_closed = part.body, part.is_closed
    if encoding == "base64":
        data, is_whole = _from_base64(data)
        is_closed = is_whole and (is_closed or part.body.endswith(b"\n"))
    elif encoding == "quoted-printable":
        data = binascii.a2b_qp(data)
    return _decoded(data, part.params.get("charset", "")), is_closed


def _from_base64(body: bytes) -> tuple[bytes, bool]:
    """And whether it is whole: nothing that follows a padding counts, and without one the last line
    is shorter than the first, or else more of them may have been cut off."""
    body, padded, _ = body.partition(b"=")
    lines = body.split(b"\n")
    first, last = lines[0].strip(), next((line for line in lines[::-1] if line.strip()), b"")
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
    left = len(letters) % 4
    is_whole = left != 1 and (bool(padded) or (not left and len(last.strip()) < len(first)))
    letters = letters[: len(letters) - left] if left == 1 else letters + b"=" * (-left % 4)
    return binascii.a2b_base64(letters), is_whole


def _decoded(data: bytes, charset: str) -> str:
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(name, "replace")
    name = _known_charset(charset)
    # Two bytes a letter, whatever the header says: every second one is zero in Latin writing.
    zeros = data[:2000].count(0)
    if name in ("utf-16", "utf-8", "ascii") and zeros > len(data[:2000]) // 4:
        even = data[:2000:2].count(0)
        return data.decode("utf-16-be" if even > zeros - even else "utf-16-le", "replace")
    if name == "utf-16":
        return data.decode("utf-16-be", "replace")
    if name in ("utf-8", "ascii"):
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            # Mostly the charset of Windows under another name. Cut letters do not look like it.
            if _is_mostly_utf_8(data):
                return data.decode("utf-8", "replace")
            name = "cp1252"
    return data.decode(name, "replace")


def _is_mostly_utf_8(data: bytes) -> bool:
    bad = data.decode("utf-8", "replace").count("\ufffd")
    high = len(data.translate(None, bytes(range(0xC0))))
    return bad * 2 < high


def _known_charset(name: str) -> str:
    name = name.strip(" \"'").lower()
    name = _ALIASES.get(name, name)
    if not re.fullmatch(r"[a-z0-9_.:-]{1,40}", name):
        return "utf-8"
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return "utf-8"
    return found if _CHARSETS.fullmatch(found) else "utf-8"
