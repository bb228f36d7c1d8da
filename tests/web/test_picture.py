"""The picture in the README: a real table, taken by the browser.

OPENPLAN_PICTURES=1 .venv/bin/python -m pytest tests/web/test_picture.py    writes docs/table.png
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

from playwright.sync_api import expect

from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.tables import begun, on_turn

PICTURE = Path(__file__).parents[2] / "docs" / "table.png"


def test_the_picture_in_the_readme_can_be_taken(open_page: NewPage, site: Running) -> None:
    table, people = begun(site, hints=True)
    rng = Random(8)
    for turn in range(15):
        mover = on_turn(people, table)
        sight = mover.ok("GET", f"/api/tables/{table}")
        seen = [mover.some_move(table, rng) for _ in range(12)]
        # Offices that people build: cards placed and projects begun, not cubicles moved about.
        moves = [move for move in seen if move.startswith(("place", "project"))] or seen
        mover.play(table, moves[turn % len(moves)], sight["version"], f"picture-{turn}")
    page = open_page(f"/table/{table}", on_turn(people, table))
    expect(page.get_by_test_id("board")).to_be_visible()
    taken = page.screenshot()
    assert taken.startswith(b"\x89PNG")
    assert len(taken) > 20_000, "an empty page"
    if os.environ.get("OPENPLAN_PICTURES"):
        PICTURE.write_bytes(taken)
