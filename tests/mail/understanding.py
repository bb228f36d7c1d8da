"""What is understood of a mail, in lines that can be read and compared."""

from __future__ import annotations

from openplan.core.deck import Deck
from openplan.core.game import AnyGame
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.mail.commands.explaining import Read, explain
from tests.mail.desk import KEY

GAME = game_named("cube-farm")
DECK = load_deck(GAME)


def understood(raw: bytes, game: AnyGame = GAME, deck: Deck = DECK) -> list[str]:
    found = explain(raw, [(game, deck)], KEY)
    if found.result == "silent":
        return [f"silent {found.code}"]
    if found.result == "refused":
        return [f"trouble {found.code}"]
    return [told(item) for item in found.items]


def told(item: Read) -> str:
    written = " / ".join(" ".join(line.split()) for line in item.text.split("\n"))
    if item.verdict == "command":
        return f"command {item.command}"
    if item.verdict == "refused":
        return f"refused {item.code} | {written}"
    if item.verdict == "blank":
        return f"blank | {written}"
    return f"order {item.part or 'all'} = {item.order}"


def orders_in(raw: bytes) -> list[str]:
    return [line for line in understood(raw) if line.startswith(("order", "command"))]
