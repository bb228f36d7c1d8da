"""Pages become a PDF: tagged (PDF/UA-1), its fonts in it, and the same bytes every time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, Final

from openplan.mail.outbound.pictures import fonts
from openplan.printing.sheets import Page

_ACCESSIBLE: Final = "ua-1"
_COARSE: Final = 72
"""Dots to the inch of a preview."""


def print_pages(
    pages: Sequence[Page], title: str, language: str = "en", *, is_preview: bool = False
) -> bytes:
    """Sheets of drawings. Each drawing is kept once, however often it lies there."""
    pages = pages[:1] if is_preview else pages
    drawings: dict[str, int] = {}
    told = [
        {
            "width": page.width,
            "height": page.height,
            "bleed": page.bleed,
            "marks": page.marks,
            "fold": page.fold,
            "note": page.note,
            "placed": [
                {
                    "x": at.x,
                    "y": at.y,
                    "width": at.width,
                    "height": at.height,
                    "drawing": drawings.setdefault(at.svg, len(drawings)),
                    "said": at.said,
                    "shown": at.shown,
                    "turned": at.is_turned,
                }
                for at in page.placed
            ],
        }
        for page in pages
    ]
    data = {"pages": told, "drawings": list(drawings), "title": title, "language": language}
    return typeset("sheets", data, is_preview=is_preview)


def typeset(
    template: str, data: Mapping[str, Any], *, is_tagged: bool = True, is_preview: bool = False
) -> bytes:
    """A template of this folder filled in; as a preview, the first page of it as a PNG. Texts are
    handed over as data: nothing in them is ever read as markup."""
    import typst

    source = files("openplan.printing").joinpath(f"{template}.typ").read_bytes()
    texts = {"data": json.dumps(data)}
    if is_preview:
        press = typst.Compiler(source, font_paths=fonts(), sys_inputs=texts)
        drawn = press.compile(format="png", ppi=_COARSE)
        assert drawn is not None
        return drawn[0] if isinstance(drawn, list) else drawn
    return typst.compile(
        source,
        format="pdf",
        sys_inputs=texts,
        font_paths=fonts(),
        pdf_standards=_ACCESSIBLE if is_tagged else None,
    )
