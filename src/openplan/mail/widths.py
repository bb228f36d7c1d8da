"""How wide the lines of letters are."""

from __future__ import annotations

from typing import Final

WIDTH: Final = 72
PROSE: Final = 60
"""Narrower, so that a program that breaks long lines when it quotes breaks none of ours."""
