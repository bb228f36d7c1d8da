"""A letter before it is mail: what it says, in blocks that plain text and HTML both show whole.

The text is complete by itself at 72 columns; the HTML says the same, with pictures in place of
what the text draws in letters. Prose is
narrower, so that a program that breaks long lines when it quotes breaks none of ours; and no line
of it begins with a word that would be a command if it were somebody's own.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from typing import Any, Final

from openplan.mail.commands.grammar import VERBS
from openplan.mail.widths import PROSE

_MONO: Final = "font-family:Consolas,Menlo,'DejaVu Sans Mono',monospace;font-size:13px"
_BODY: Final = (
    "font-family:'Atkinson Hyperlegible Next',Verdana,'Segoe UI',Helvetica,Arial,sans-serif;"
    "font-size:16px;line-height:1.45;color:#1c2630;background:#ffffff;max-width:40em;"
    "margin:0 auto;padding:12px;overflow-wrap:anywhere"
)
_HEADING: Final = (
    "font-size:19px;line-height:1.25;margin:28px 0 10px;padding-bottom:4px;"
    "border-bottom:2px solid #e3a63b"
)
_ITEM: Final = "margin:3px 0;padding-left:14px;text-indent:-14px"
_CAPTION: Final = "font-weight:bold;margin:16px 0 6px"
_FRAMED: Final = "white-space:pre-wrap;background:#f6f4ee;padding:8px 10px;margin:10px 0"
_PRINTED: Final = (
    "@media print{"
    "*{color:#000!important;background:transparent!important}"
    "body{max-width:none!important;padding:0!important;font-size:11pt!important}"
    "h2{break-after:avoid}"
    "img,pre,.drawing{break-inside:avoid}"
    "pre{white-space:pre-wrap!important}"
    "}"
)
"""On paper: black on white, and no drawing torn in two or cut off. There is nothing to press in a
letter anyway."""
_SMALL: Final = "color:#5d6972;font-size:13px"
_UNBROKEN: Final = "white-space:nowrap"


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as SVG; `alt` is for who does not see it."""

    name: str
    svg: str
    alt: str


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph; a line that begins with `- ` stands by itself."""

    text: str


@dataclass(frozen=True, slots=True)
class Plain:
    """Lines that keep their places: header lines, a table, an order form."""

    text: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing made of letters; and the same as pictures side by side, where there are some, with
    what stands above them."""

    text: str
    pictures: Sequence[Picture] = ()
    caption: str = ""


Block = Heading | Words | Plain | Drawing


@dataclass(frozen=True, slots=True)
class Letter:
    """`kind` is for programs that sort mail; people read the subject."""

    kind: str
    subject: str
    blocks: Sequence[Block]

    def pictures(self) -> list[Picture]:
        """Each once, wherever it is shown."""
        drawings = (block for block in self.blocks if isinstance(block, Drawing))
        found = {picture.name: picture for drawing in drawings for picture in drawing.pictures}
        return list(found.values())


def distinct(blocks: Sequence[Block]) -> list[Block]:
    """With a name of its own for every picture, where parts of several letters come together."""
    seen: dict[str, Picture] = {}
    found: list[Block] = []
    for block in blocks:
        if isinstance(block, Drawing):
            pictures = []
            for picture in block.pictures:
                while seen.setdefault(picture.name, picture) != picture:
                    picture = replace(picture, name=f"{picture.name}-other")
                pictures.append(picture)
            block = replace(block, pictures=tuple(pictures))
        found.append(block)
    return found


# -- As data, to be kept until it is sent ----------------------------------------------------

_BLOCKS: Final = {kind.__name__: kind for kind in (Heading, Words, Plain, Drawing)}


def to_data(letter: Letter) -> dict[str, Any]:
    blocks = [{"is": type(block).__name__, **asdict(block)} for block in letter.blocks]
    return {"kind": letter.kind, "subject": letter.subject, "blocks": blocks}


def from_data(data: Mapping[str, Any]) -> Letter:
    blocks = []
    for fields in (dict(block) for block in data["blocks"]):
        kind = _BLOCKS[fields.pop("is")]
        if "picture" in fields:
            # An answer that the version before this one had queued.
            one = fields.pop("picture")
            fields["pictures"] = [one] if one is not None else []
        if "pictures" in fields:
            fields["pictures"] = tuple(Picture(**picture) for picture in fields["pictures"])
        blocks.append(kind(**fields))
    return Letter(data["kind"], data["subject"], blocks)


# -- As text and as HTML ---------------------------------------------------------------------


def as_text(letter: Letter) -> str:
    return "\n\n".join(_text(block) for block in letter.blocks) + "\n"


def _text(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{block.text}\n{'-' * len(block.text)}"
    if isinstance(block, Words):
        return "\n".join(_wrapped(line) for line in block.text.splitlines())
    return block.text.rstrip("\n")


def _wrapped(line: str) -> str:
    indent = "  " if line.startswith("- ") else ""
    return textwrap.fill(
        glued(line), PROSE, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ).replace(_GLUE, " ")


_GLUE: Final = "\u00a0"
_WORDS: Final = "|".join(f"{verb.word}{verb.follows}" for verb in VERBS.values())
_OBEYED: Final = re.compile(
    rf" +(?=(?:{_WORDS}|BEGINN?|ENDE?|nothing|none|nichts|phase)(?![a-z]))", re.IGNORECASE
)


def glued(text: str) -> str:
    """With the words that may begin something tied to those before them."""
    return _OBEYED.sub(_GLUE, text)


def as_html(letter: Letter) -> str:
    """Nothing in it is loaded from outside: pictures are parts of the same mail."""
    body = "\n".join(_html(block) for block in letter.blocks)
    title = escape(letter.subject)
    return (
        '<!doctype html>\n<html><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light">'
        f"<title>{title}</title>\n<style>{_PRINTED}</style></head>\n"
        f'<body style="{_BODY}">\n{body}\n</body></html>\n'
    )


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f'<h2 style="{_HEADING}">{escape(block.text)}</h2>'
    if isinstance(block, Words):
        lines = block.text.splitlines()
        if any(line.startswith("- ") for line in lines):
            return "\n".join(_line(line) for line in lines)
        written = "<br>\n".join(_written(line) for line in lines)
        return f"<p>{written}</p>"
    if isinstance(block, Drawing) and (block.pictures or block.caption):
        caption = f'<p style="{_CAPTION}">{escape(block.caption)}</p>' if block.caption else ""
        # Two cards side by side, also on a telephone.
        most = "46%" if len(block.pictures) > 1 else "100%"
        shown = "\n".join(_image(picture, most) for picture in block.pictures)
        if not shown:
            return caption
        return f"<div class=\"drawing\">{caption}\n<p style='margin:0'>{shown}</p></div>"
    if block.text.startswith("::"):
        # For programs; whoever reads the letter is told below.
        return f'<pre style="{_MONO};white-space:pre-wrap;{_SMALL}">{escape(block.text)}</pre>'
    # On a narrow screen lines are broken; a drawing, where that would ruin it, is moved sideways.
    narrow = "overflow-x:auto" if isinstance(block, Drawing) else _FRAMED
    return f'<pre style="{_MONO};{narrow}">{escape(block.text)}</pre>'


def _line(line: str) -> str:
    style = _ITEM if line.startswith("- ") else "margin:8px 0"
    return f'<div style="{style}">{_written(line)}</div>'


_CLAUSE: Final = re.compile(r"\[[A-Z]{2,}-[0-9.]+\]")
_ADDRESS: Final = re.compile(r"https?://[^\s<>]+[^\s<>.,;:)]")


def _written(line: str) -> str:
    """An address can be followed, and the number of a clause does not shout."""
    line = escape(glued(line))
    line = _ADDRESS.sub(r'<a href="\g<0>" style="color:#1f4e79">\g<0></a>', line)
    return _CLAUSE.sub(rf'<span style="{_SMALL};{_UNBROKEN}">\g<0></span>', line)


_WIDTH: Final = re.compile(r"\bwidth='([0-9]+)")


def _image(picture: Picture, most: str) -> str:
    found = _WIDTH.search(picture.svg)
    width = f' width="{found[1]}"' if found else ""
    return (
        f'<img src="cid:{escape(picture.name)}" alt="{escape(picture.alt)}"{width}'
        f' style="max-width:{most};height:auto;vertical-align:top;margin:0 4px 8px 0">'
    )
