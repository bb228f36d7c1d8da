"""A letter before it is mail: what it says, in blocks that plain text and HTML both show whole.

The text is complete by itself at 72 columns; the HTML says the same and adds the pictures. Prose is
narrower, so that a program that breaks long lines when it quotes breaks none of ours; and no line
of it begins with a word that would be a command if it were somebody's own.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any, Final

from openplan.mail.commands.grammar import VERBS
from openplan.mail.widths import PROSE

_MONO: Final = "font-family:Consolas,Menlo,'DejaVu Sans Mono',monospace;font-size:13px"
_SERIF: Final = (
    "font-family:Georgia,serif;font-size:16px;line-height:1.4;max-width:44em;overflow-wrap:anywhere"
)


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
    """A drawing made of letters, and the same as a picture where there is one."""

    text: str
    picture: Picture | None = None


Block = Heading | Words | Plain | Drawing


@dataclass(frozen=True, slots=True)
class Letter:
    """`kind` is for programs that sort mail; people read the subject."""

    kind: str
    subject: str
    blocks: Sequence[Block]

    def pictures(self) -> list[Picture]:
        drawings = (block for block in self.blocks if isinstance(block, Drawing))
        return [drawing.picture for drawing in drawings if drawing.picture is not None]


# -- As data, to be kept until it is sent ----------------------------------------------------

_BLOCKS: Final = {kind.__name__: kind for kind in (Heading, Words, Plain, Drawing)}


def to_data(letter: Letter) -> dict[str, Any]:
    blocks = [{"is": type(block).__name__, **asdict(block)} for block in letter.blocks]
    return {"kind": letter.kind, "subject": letter.subject, "blocks": blocks}


def from_data(data: Mapping[str, Any]) -> Letter:
    blocks = []
    for fields in (dict(block) for block in data["blocks"]):
        kind = _BLOCKS[fields.pop("is")]
        if fields.get("picture") is not None:
            fields["picture"] = Picture(**fields["picture"])
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
        f"<title>{title}</title></head>\n"
        f'<body style="{_SERIF}">\n{body}\n</body></html>\n'
    )


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h2>{escape(block.text)}</h2>"
    if isinstance(block, Words):
        lines = "<br>\n".join(escape(glued(line)) for line in block.text.splitlines())
        return f"<p>{lines}</p>"
    # On a narrow screen lines are broken; a drawing, where that would ruin it, is moved sideways.
    narrow = "overflow-x:auto" if isinstance(block, Drawing) else "white-space:pre-wrap"
    drawn = f'<pre style="{_MONO};{narrow}">{escape(block.text)}</pre>'
    if isinstance(block, Drawing) and block.picture is not None:
        picture = block.picture
        image = f'<img src="cid:{escape(picture.name)}" alt="{escape(picture.alt)}"'
        return f'<p>{image} style="max-width:100%"></p>\n{drawn}'
    return drawn
