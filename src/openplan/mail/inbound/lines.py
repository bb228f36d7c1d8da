"""A text as lines: typography made plain, flowed lines joined, quotations and the envelope found.

The envelope is what stands between a line BEGIN and the next line END, neither of them quoted. Of
somebody who has proved who they are, two more places are read where there is none: what stands
above the quotation, and a form that was filled in inside it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openplan.mail.inbound.tokens import TOKEN

MAX_ENVELOPE: Final = 1000
MAX_ENVELOPE_TEXT: Final = 40_000
MAX_LINE: Final = 2000
BLANK: Final = "__"


@dataclass(frozen=True, slots=True)
class Line:
    """A line as its reader sees it, numbered from 1."""

    number: int
    text: str
    is_ended: bool = True
    """Something followed that ends it; a last line that is cut short has no end."""

    @property
    def is_quoted(self) -> bool:
        return _QUOTED.match(self.text) is not None

    @property
    def is_empty(self) -> bool:
        """No more than space, a comment or a rule across the page."""
        return not self.text.strip(" -_=*~\t") or self.text.lstrip()[:1] == "#"


# `> `, `| `, `JD> `, and the `12| ` with which our own answers repeat somebody's lines.
_QUOTED: Final = re.compile(r"\s*(?:[A-Za-z]{0,4}|[0-9]{1,5})\s?[>|»]")


# -- Typography ------------------------------------------------------------------------------


class _Plain(dict[int, str | None]):
    """What each character becomes, found when it is first seen."""

    def __missing__(self, code: int) -> str | None:
        self[code] = _plain(chr(code))
        return self[code]


_SAME: Final = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab", '"'),
    "\u2026": "...",
    "\u2212": "-",
    "\t": " ",
    "\x0b": " ",
    "\x0c": " ",
    "\u2022": "*",
    "\u00b7": "*",
}


def _plain(letter: str) -> str | None:
    if letter in _SAME:
        return _SAME[letter]
    if letter == "\n" or " " <= letter <= "~":
        return letter
    if "\uff01" <= letter <= "\uff5e":  # full width
        return chr(ord(letter) - 0xFEE0)
    category = unicodedata.category(letter)
    if category == "Zs":
        return " "
    if category == "Pd":
        return "-"
    if category == "Nd":
        return str(unicodedata.decimal(letter))
    if category == "Cf":  # joiners, marks of direction, soft hyphens: nothing to see
        return None
    # A control character makes its line unreadable rather than disappear from it.
    return "\ufffd" if category in ("Cc", "Cs") else letter


_TABLE: Final = _Plain()


def plain(text: str) -> str:
    """What is typed with other characters that look or mean the same, in ASCII."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for ending in ("\x85", "\u2028", "\u2029"):
        text = text.replace(ending, "\n")
    return text.translate(_TABLE)


# -- Lines -----------------------------------------------------------------------------------


def split_lines(
    text: str, first: int, *, is_closed: bool, flowed: bool = False, deletes: bool = False
) -> list[Line]:
    """The lines of one part, numbered from `first`. `flowed` and `deletes` are what a part says of
    itself (RFC 3676): a line that ends in a space goes on in the next."""
    parts = plain(text).split("\n")
    rest = parts.pop()
    lines = [(part, True) for part in parts]
    if rest:
        lines.append((rest, is_closed))
    if flowed:
        lines = _joined(lines, deletes)
    return [Line(number, text.rstrip(), ended) for number, (text, ended) in enumerate(lines, first)]


def _joined(lines: Sequence[tuple[str, bool]], deletes: bool) -> list[tuple[str, bool]]:
    joined: list[tuple[str, bool]] = []
    open_marks = -1  # how deep the line that goes on is quoted; -1 if none does
    pieces: list[str] = []
    for text, ended in lines:
        content = text.lstrip(">")
        marks = len(text) - len(content)
        content = content.removeprefix(" ")
        # A marker is short: no program breaks a line after it, so the space is somebody's own.
        goes_on = content.endswith(" ") and content != "-- " and not _is_marker(content)
        # Nor is a marker the end of somebody's paragraph.
        if open_marks >= 0 and (marks != open_marks or _is_marker(content)):
            joined.append(_line(open_marks, pieces, True))
            pieces, open_marks = [], -1
        pieces.append(content[:-1] if goes_on and deletes else content)
        if goes_on:
            open_marks = marks
        else:
            joined.append(_line(marks, pieces, ended))
            pieces, open_marks = [], -1
    if open_marks >= 0:
        # Something was to follow.
        joined.append(_line(open_marks, pieces, False))
    return joined


def _is_marker(text: str) -> bool:
    return len(text) <= MAX_LINE and bool(_BEGIN.fullmatch(text) or _END.fullmatch(text))


def _line(marks: int, pieces: list[str], ended: bool) -> tuple[str, bool]:
    return (">" * marks + " " if marks else "") + "".join(pieces), ended


# -- The envelope ----------------------------------------------------------------------------

_BEGIN: Final = re.compile(
    rf"[-=*_~\s]*BEGINN?(?:\s+(?:ORDERS|BEFEHLE))?(?:[\s:(<]+(?P<token>{TOKEN}))?[-=*_~.:)>\s]*",
    re.IGNORECASE,
)
_END: Final = re.compile(r"[-=*_~\s]*ENDE?(?:\s+(?:ORDERS|BEFEHLE))?[-=*_~.!\s]*", re.IGNORECASE)
_OWN: Final = re.compile(r"\s*::\s")


@dataclass(frozen=True, slots=True)
class Envelope:
    """The lines BEGIN and END, and the numbers of those between."""

    begin: int
    end: int
    token: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a mail is refused as a whole, and at which line, if at one."""

    code: str
    line: int = 0
    begun: int = 0


def find_envelope(lines: Sequence[Line]) -> Envelope | Trouble:
    """The first that holds something. A form left blank is passed over, since it may be quoted
    without marks above what somebody wrote; nothing is read past the END of any other."""
    begin: Line | None = None
    inside: list[Line] = []
    token = ""
    blank: Envelope | None = None
    for line in lines:
        if line.is_quoted:
            inside.append(line)
            continue
        begins = _BEGIN.fullmatch(line.text) if len(line.text) <= MAX_LINE else None
        if begins or _OWN.match(line.text):
            if begin is not None:
                # Another form, or a letter of ours, quoted without marks: the END below is theirs.
                return Trouble("no-end", line.number, begin.number)
            if begins:
                begin, inside, token = line, [], begins["token"] or ""
        elif begin is not None and line.is_ended and _END.fullmatch(line.text[:MAX_LINE]):
            envelope = Envelope(begin.number, line.number, token.lower(), tuple(inside))
            if not is_blank(envelope):
                return _checked(envelope)
            blank = blank or envelope
            begin = None
        else:
            inside.append(line)
    if begin is not None:
        return Trouble("no-end", 0, begin.number)
    return blank or Trouble("no-begin")


def above_quotation(lines: Sequence[Line]) -> Envelope:
    """What stands before anything quoted, before a letter of ours and before a signature."""
    above: list[Line] = []
    for line in lines:
        if line.is_quoted or _OWN.match(line.text) or _is_marker(line.text) or line.text == "--":
            if _END.fullmatch(line.text[:MAX_LINE]):
                above.clear()  # what went before this END may be missing
            break
        above.append(line)
    return Envelope(0, 0, "", tuple(above[:MAX_ENVELOPE]))


def quoted_form(lines: Sequence[Line]) -> Envelope | None:
    """The form of the letter that was answered, quoted once: what is quoted more often is of an
    earlier one."""
    begin, token = 0, ""
    inside: list[Line] = []
    for line in lines:
        marks = _QUOTED.match(line.text)
        text = line.text[marks.end() :] if marks else line.text
        if not marks or len(text) > MAX_LINE or _QUOTED.match(text):
            begin = 0
        elif begins := _BEGIN.fullmatch(text):
            begin, token, inside = line.number, (begins["token"] or "").lower(), []
        elif begin and _END.fullmatch(text):
            return Envelope(begin, line.number, token, tuple(inside))
        else:
            inside.append(Line(line.number, text.strip(), line.is_ended))
    return None


def is_blank(envelope: Envelope) -> bool:
    """Was nothing written into it?"""
    return all(line.is_quoted or _is_unwritten(line) for line in envelope.lines)


def _is_unwritten(line: Line) -> bool:
    return line.is_empty or BLANK in line.text


def _checked(envelope: Envelope) -> Envelope | Trouble:
    for line in envelope.lines:
        if len(line.text) > MAX_LINE:
            return Trouble("too-long-line", line.number, envelope.begin)
    letters = sum(len(line.text) for line in envelope.lines)
    if len(envelope.lines) > MAX_ENVELOPE or letters > MAX_ENVELOPE_TEXT:
        return Trouble("too-many-lines", envelope.end, envelope.begin)
    return envelope


_COMMENT: Final = re.compile(r"(?:^|\s)(?:#(?![0-9])|//).*")


def without_comment(text: str) -> str:
    """`#` begins a comment, but not in `#23`, which may be a card. One with a blank stays with what
    stands before it: no line with a blank is an order, wherever it is."""
    rest = _COMMENT.sub("", text).rstrip()
    return text if rest and BLANK in text else rest
