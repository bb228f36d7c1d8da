"""What the judge would read in a mail, line by line, without a server and without effect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from openplan.core.deck import Deck
from openplan.core.game import AnyGame, Written
from openplan.mail.commands.items import Command, Content, Fault, Item, content_of, why_refused
from openplan.mail.inbound.lines import Trouble
from openplan.mail.inbound.reading import Mail, read
from openplan.mail.sentences import reason_of, say

Kind = Literal["order", "command", "refused", "blank"]
NO_KEY: Final = bytes(32)
"""Without a server no token is proved; one that is there is taken for true."""


@dataclass(frozen=True, slots=True)
class Read:
    """One item of a mail: its lines from `first` to `last`, numbered from 1 as in the text."""

    first: int
    last: int
    text: str
    verdict: Kind
    code: str = ""
    reason: str = ""
    part: str = ""
    """The phase of which an order speaks; all of them, if none."""
    order: str = ""
    """In the game's notation, if it is one."""
    command: str = ""
    """Its word, if it is one."""


@dataclass(frozen=True, slots=True)
class Explained:
    result: Literal["read", "refused", "silent"]
    """`refused` as a whole, so that nothing of it would be done; `silent`, if it would not even be
    answered."""
    code: str
    """Why, if it is not read."""
    reason: str
    token: str | None
    game: str
    orders: list[str]
    """Those that would count, in the order of the mail: where two speak of one phase, the later."""
    commands: list[str]
    items: list[Read]


def explain(raw: bytes, games: list[tuple[AnyGame, Deck]], key: bytes = NO_KEY) -> Explained:
    """By the one of these games in which most is an order; the first, if none is better."""
    mail = read(raw, key)
    token = mail.tokens[0] if mail.tokens else None
    silence = mail.silence or ("" if token else mail.hint)
    found = [_Reading(mail, game, deck, token is not None) for game, deck in games]
    best = max(found, key=lambda reading: len([item for item in reading.items if item.order]))
    name = best.game.name
    if silence:
        return Explained("silent", silence, "", token, name, [], [], [])
    if isinstance(best.content, Trouble):
        trouble = best.content
        return Explained("refused", trouble.code, why_refused(trouble), token, name, [], [], [])
    commands = [item.command for item in best.items if item.verdict == "command"]
    return Explained("read", "", "", token, name, best.orders(), commands, best.items)


class _Reading:
    """A mail as it reads to whoever plays this game."""

    def __init__(self, mail: Mail, game: AnyGame, deck: Deck, is_proved: bool) -> None:
        self.game = game
        self.deck = deck
        self.content = content_of(mail, game, deck, is_proved=is_proved)
        self.items: list[Read] = []
        if isinstance(self.content, Content):
            self.items = [_told(mail, item, game, deck) for item in self.content.items]

    def orders(self) -> list[str]:
        """As the judge would put them together."""
        game, deck = self.game, self.deck
        if not game.parts:
            return [item.order for item in self.items if item.order]
        assert isinstance(self.content, Content)
        held: object = None
        for item in self.content.items:
            if isinstance(item, Written) and item.move is not None:
                held = game.with_part(held, item.part, item.move, adding=True)
        if held is None:
            return []
        nothing = game.format_move(deck, game.with_part(None, game.parts[0], None))
        parts = [game.format_move(deck, game.with_part(None, part, held)) for part in game.parts]
        return [part for part in parts if part != nothing] or [nothing]


def _told(mail: Mail, item: Item, game: AnyGame, deck: Deck) -> Read:
    texts = [mail.lines[number - 1].text.strip() for number in range(item.first, item.last + 1)]
    first, last, text = item.first, item.last, "\n".join(texts)
    if isinstance(item, Command):
        return Read(first, last, text, "command", command=item.verb.word)
    error = item.error if isinstance(item, Fault) else item.fault
    if error is not None:
        word = item.verb.word if isinstance(item, Fault) and item.verb is not None else ""
        reason = reason_of(error, "en")
        return Read(first, last, text, "refused", error.code, reason, command=word)
    assert isinstance(item, Written)
    if item.move is None:
        return Read(first, last, text, "blank", "blank", say("blank", {}))
    order = game.format_move(deck, game.with_part(None, item.part, item.move))
    return Read(first, last, text, "order", part=item.part, order=order)
