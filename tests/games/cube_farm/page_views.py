"""Views of a recorded match for the tests of the page: after set-up and every turn, as S sees them.

`python -m tests.games.cube_farm.page_views` writes them."""

from __future__ import annotations

import json
from pathlib import Path

from openplan.core.game import Seat
from openplan.core.record import read_record
from openplan.core.registry import game_named
from openplan.core.scene import data_of
from openplan.decks import find_deck

ROOT = Path(__file__).resolve().parents[3]
RECORD = ROOT / "tests/golden/cube-farm/random-show-sent.record"
FILE = ROOT / "web/src/games/cube_farm/model/fixture.json"


def page_views() -> str:
    match = read_record(RECORD.read_text("utf-8"), game_named, find_deck)
    turns = [
        number
        for number, entry in enumerate(match.log, 1)
        if entry.kind in ("adjudicate", "deadline")
    ]
    views = [match.game.view_data(match.at(ply).view(Seat(0))) for ply in (0, *turns)]
    cards = {name: data_of(match.game.card_picture(match.deck, name)) for name in match.deck.cards}
    deck = {"name": match.deck.name, "title": match.deck.title, "hash": match.deck.hash}
    return json.dumps({"deck": {**deck, "cards": cards}, "views": views}, separators=(",", ":"))


if __name__ == "__main__":
    FILE.write_text(page_views() + "\n", "utf-8")
