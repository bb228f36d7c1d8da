"""Drawings as PNG for letters.

Typst sets them: it brings its own fonts, so that every machine draws the same. Slow for an event
loop: call it in a thread.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import typst

DENSITY: Final = 2
"""Dots for each pixel of a drawing, as on the screens of today."""
_PICTURE: Final = b"""\
#set page(width: auto, height: auto, margin: 0pt)
#set document(date: none)
#image(bytes(sys.inputs.svg), format: "svg")
"""


@cache
def fonts() -> typst.Fonts:
    """Those of the house, and none that happen to be on this machine."""
    import typst

    folder = Path(str(files("openplan.render"))) / "fonts"
    return typst.Fonts(include_system_fonts=False, font_paths=[folder])


@lru_cache(maxsize=256)
def as_png(svg: str) -> bytes:
    """The same card goes to many readers: drawn pictures are kept for a while."""
    import typst

    png = typst.compile(
        _PICTURE,
        format="png",
        ppi=96 * DENSITY,
        sys_inputs={"svg": svg},
        font_paths=fonts(),
    )
    assert isinstance(png, bytes)
    return png
