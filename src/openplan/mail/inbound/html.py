"""HTML as the lines that its reader sees, with quoted ones marked. One pass, nothing raises."""

from __future__ import annotations

import html
import re
from typing import Final

_BLOCK: Final = re.compile(
    r"address|article|aside|blockquote|body|center|d[dlt]|div|fieldset|figure|footer|form|h[1-6]"
    r"|header|hr|html|li|main|nav|ol|p|pre|section|table|tbody|tfoot|thead|tr|ul"
)
_UNSEEN: Final = re.compile(r"script|style|head|title|template|xml")
_VOID: Final = re.compile(r"br|hr|img|meta|link|input|area|base|col|wbr")
_TAG: Final = re.compile(r"(/?)([a-zA-Z][a-zA-Z0-9:]*)")
# How programs mark what they quote, where they do not use <blockquote>.
_QUOTES: Final = re.compile(
    r"yahoo_quoted|moz-cite-prefix|divRplyFwdMsg|protonmail_quote|tutanota_quote|"
    r"OutlookMessageHeader",
    re.IGNORECASE,
)
_HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_KEPT: Final = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
_SPACES: Final = re.compile(r"[ \t\r\n\f]+")
MAX_TAG: Final = 2000
MAX_MARKS: Final = 5


def text_of_html(source: str) -> str:
    """Its text; a quotation's lines begin with `> `. The last line ends with a line break only if
    the page ends it, so that one cut short can be told."""
    page = _Page()
    at = 0
    end = len(source)
    while at < end:
        opening = source.find("<", at)
        if opening < 0:
            page.write(source[at:])
            break
        if opening > at:
            page.write(source[at:opening])
        at = _markup(page, source, opening)
    return page.finished()


def _markup(page: _Page, source: str, at: int) -> int:
    """Deal with what begins at this `<`; where to go on. What never ends hides all the rest."""
    if source.startswith("<!--", at):
        closing = source.find("-->", at + 4)
        return len(source) if closing < 0 else closing + 3
    found = _TAG.match(source, at + 1)
    if not found and source[at + 1 : at + 2] not in ("!", "?", "/"):
        page.write("<")
        return at + 1
    closing = source.find(">", at)
    if closing < 0:
        return len(source)
    if found:
        name = found[2].lower()
        attributes = source[found.end() : min(closing, found.end() + MAX_TAG)]
        if found[1]:
            page.close(name)
        else:
            page.open(name, attributes)
    return closing + 1


class _Page:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.words: list[str] = []
        # Open elements: name, and what each adds to the depth of quoting, hiding, keeping lines.
        self.stack: list[tuple[str, int, int, int]] = []
        self.open_count: dict[str, int] = {}
        self.quoting = 0
        self.hiding = 0
        self.pre = 0

    def write(self, text: str) -> None:
        if self.hiding:
            return
        text = html.unescape(text)
        if not self.pre:
            self.words.append(_SPACES.sub(" ", text))
            return
        first, *others = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.words.append(first)
        for line in others:
            self.end_line()
            self.words.append(line)

    def open(self, name: str, attributes: str) -> None:
        if name == "br":
            self.end_line()
            return
        if _BLOCK.fullmatch(name):
            self.end_block()
        if name in ("td", "th"):
            self.words.append(" ")
        if _VOID.fullmatch(name) or attributes.endswith("/"):
            return
        quoting = int(name == "blockquote" or bool(_QUOTES.search(attributes)))
        hiding = int(bool(_UNSEEN.fullmatch(name) or _HIDDEN.search(attributes)))
        pre = int(name == "pre" or bool(_KEPT.search(attributes)))
        self.quoting += quoting
        self.hiding += hiding
        self.pre += pre
        self.stack.append((name, quoting, hiding, pre))
        self.open_count[name] = self.open_count.get(name, 0) + 1

    def close(self, name: str) -> None:
        if _BLOCK.fullmatch(name):
            self.end_block()
        # An end without a beginning means nothing; one of an outer element ends the inner ones.
        while self.open_count.get(name, 0):
            other, quoting, hiding, pre = self.stack.pop()
            self.open_count[other] -= 1
            self.quoting -= quoting
            self.hiding -= hiding
            self.pre -= pre
            if other == name:
                break

    def end_block(self) -> None:
        if "".join(self.words).strip():
            self.end_line()
        else:
            self.words.clear()

    def end_line(self) -> None:
        line = "".join(self.words)
        self.words.clear()
        if not self.pre:
            line = line.strip(" ")
        if not self.hiding:
            self.lines.append("> " * min(self.quoting, MAX_MARKS) + line)

    def finished(self) -> str:
        rest = "".join(self.words)
        text = "".join(f"{line}\n" for line in self.lines)
        if not rest.strip():
            return text
        return text + "> " * min(self.quoting, MAX_MARKS) + rest.strip(" ")
