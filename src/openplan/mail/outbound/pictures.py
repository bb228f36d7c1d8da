"""Drawings as PNG for letters, and whole letters as PDF for players without a computer.

Typst sets both: it brings its own fonts, so that every machine draws the same. Slow for an event
loop: call it in a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from openplan.mail.outbound.letter import Block, Heading, Letter, Words

_DOTS_AN_INCH: Final = 120
_PICTURE: Final = b"""\
#set page(width: auto, height: auto, margin: 4pt)
#set document(date: none)
#image(bytes(sys.inputs.svg), format: "svg")
"""
# A4 with room for a hole punch. What is drawn in letters keeps its places and never breaks.
_PAGE: Final = """\
#set page(paper: "a4", margin: (left: 25mm, rest: 18mm), numbering: "1 / 1")
#set document(date: none)
#set text(font: "Libertinus Serif", size: 11pt)
#show raw: set text(font: "DejaVu Sans Mono", size: 8pt)
#show raw.where(block: true): block.with(breakable: false)
"""


def as_png(svg: str) -> bytes:
    import typst

    png = typst.compile(_PICTURE, format="png", ppi=_DOTS_AN_INCH, sys_inputs={"svg": svg})
    assert isinstance(png, bytes)
    return png


def print_letters(letters: Sequence[Letter]) -> bytes:
    """A PDF of letters, each on pages of its own; the same bytes for the same letters."""
    import typst

    texts: dict[str, str] = {}

    def keep(text: str) -> str:
        """Hand a text over as data: nothing in it is ever read as markup."""
        name = f"t{len(texts)}"
        texts[name] = text
        return f"sys.inputs.{name}"

    source = _PAGE + "#pagebreak()\n".join(
        "".join(_typeset(block, keep) for block in letter.blocks) for letter in letters
    )
    pdf = typst.compile(source.encode(), format="pdf", sys_inputs=texts)
    assert isinstance(pdf, bytes)
    return pdf


def _typeset(block: Block, keep: Callable[[str], str]) -> str:
    if isinstance(block, Heading):
        return f"#heading({keep(block.text)})\n"
    if isinstance(block, Words):
        return "".join(f"#par({keep(line)})\n" for line in block.text.splitlines())
    return f"#raw({keep(block.text)}, block: true)\n"
