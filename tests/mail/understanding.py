"""What is understood of a mail, in lines that can be read and compared."""

from __future__ import annotations

from openplan.core.deck import Deck
from openplan.core.game import AnyGame
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.mail.commands.items import Command, Fault, Item, read_items
from openplan.mail.inbound.lines import Trouble
from openplan.mail.inbound.reading import Mail, read
from tests.mail.desk import KEY

GAME = game_named("cube-farm")
DECK = load_deck(GAME)


def understood(raw: bytes, game: AnyGame = GAME, deck: Deck = DECK) -> list[str]:
    mail = read(raw, KEY)
    if mail.silence:
        return [f"silent {mail.silence}"]
    if isinstance(mail.envelope, Trouble):
        return [f"trouble {mail.envelope.code}"]
    return [told(mail, item, game, deck) for item in read_items(mail.envelope.lines, game, deck)]


def told(mail: Mail, item: Item, game: AnyGame, deck: Deck) -> str:
    written = " / ".join(" ".join(mail.lines[n - 1].text.split()) for n in lines_of(item))
    if isinstance(item, Command):
        return f"command {item.verb.word}"
    if isinstance(item, Fault):
        return f"refused {item.error.code} | {written}"
    if item.fault is not None:
        return f"refused {item.fault.code} | {written}"
    if item.move is None:
        return f"blank | {written}"
    move = game.with_part(None, item.part, item.move)
    return f"order {item.part or 'all'} = {game.format_move(deck, move)}"


def lines_of(item: Item) -> range:
    return range(item.first, item.last + 1)


def orders_in(raw: bytes) -> list[str]:
    return [line for line in understood(raw) if line.startswith(("order", "command"))]
