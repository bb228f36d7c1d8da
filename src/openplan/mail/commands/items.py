"""What an envelope holds: commands, orders of the game, and lines that are neither."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeGuard

from openplan.core.deck import Deck
from openplan.core.game import AnyGame, Unreadable, Written
from openplan.mail.commands.arguments import Given, without_links
from openplan.mail.commands.grammar import VERBS, Verb, read_arguments
from openplan.mail.inbound.lines import (
    Envelope,
    Line,
    Trouble,
    above_quotation,
    is_blank,
    quoted_form,
    without_comment,
)
from openplan.mail.inbound.reading import Mail
from openplan.mail.inbound.tokens import find_tokens
from openplan.mail.sentences import say, unreadable

MAX_TEXT: Final = 8000


@dataclass(frozen=True, slots=True)
class Command:
    """A verb on its lines."""

    first: int
    last: int
    verb: Verb
    given: Given


@dataclass(frozen=True, slots=True)
class Fault:
    """Lines that cannot be read, or belong to nothing."""

    first: int
    last: int
    error: Unreadable
    verb: Verb | None = None
    """The command that it may have been."""


Item = Command | Fault | Written[object]
"""What an envelope holds; a `Written` has its lines numbered like the others, as in the mail."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a mail says to us, and where it stands."""

    envelope: Envelope
    items: tuple[Item, ...]


def content_of(
    mail: Mail, game: AnyGame | None, deck: Deck | None, *, is_proved: bool
) -> Content | Trouble:
    """The envelope's. Where nothing was written into one, what stands above the quotation or in the
    quoted form, if it is proved who writes: there, only what is an order or a command counts."""
    envelope = mail.envelope
    if is_proved and _is_unused(envelope):
        above = above_quotation(mail.lines)
        written = [item for item in read_items(above.lines, game, deck) if _is_meant(item, above)]
        if any(isinstance(item, Command) or item.move is not None for item in written):
            return Content(above, tuple(written))
        form = quoted_form(mail.lines)
        if form is not None and form.token in mail.tokens:
            filled = read_items(form.lines, game, deck)
            orders = [item for item in filled if isinstance(item, Written)]
            # Anything else in it was not in the form: then more was changed than its blanks.
            if len(orders) == len(filled) and any(order.move is not None for order in orders):
                return Content(form, tuple(orders))
    if isinstance(envelope, Trouble):
        return envelope
    return Content(envelope, tuple(read_items(envelope.lines, game, deck)))


def why_refused(trouble: Trouble, language: str = "en") -> str:
    code = "no-end-before" if trouble.code == "no-end" and trouble.line else trouble.code
    return say(code, {"line": trouble.line, "begun": trouble.begun}, language)


def _is_unused(envelope: Envelope | Trouble) -> bool:
    if isinstance(envelope, Trouble):
        return envelope.code in ("no-begin", "quoted-begin")
    return is_blank(envelope)


def _is_meant(item: Item, above: Envelope) -> TypeGuard[Command | Written[object]]:
    """Among what people write to people: an order, or a command by itself in capitals."""
    if isinstance(item, Command):
        line = next(line for line in above.lines if line.number == item.first)
        is_whole = not item.verb.has_text or (item.verb.may_lack_text and not item.given.text)
        return item.verb.word in line.text and is_whole
    return isinstance(item, Written)


_FIRST_WORD: Final = re.compile(r"[-*\s]*([A-Za-z]+)\b(.*)", re.DOTALL)


_CLOSING: Final = re.compile(
    rf"\s*END\s*({'|'.join(verb.word for verb in VERBS.values() if verb.has_text)}|TEXT)[\s.]*",
    re.IGNORECASE,
)


def read_items(lines: Sequence[Line], game: AnyGame | None, deck: Deck | None) -> list[Item]:
    """Everything that an envelope's lines hold, in their order. Empty, quoted and blank lines yield
    nothing; any other line is in exactly one item, or in several orders that share it."""
    return list(_Reader(lines, game, deck).items())


class _Reader:
    def __init__(self, lines: Sequence[Line], game: AnyGame | None, deck: Deck | None) -> None:
        self.lines = lines
        self.game = game
        self.deck = deck
        self.place = 0
        self.closings: dict[str, list[int]] = {}
        for place, line in enumerate(lines):
            if found := _CLOSING.fullmatch(line.text):
                self.closings.setdefault(found[1].upper(), []).append(place)

    def items(self) -> Iterator[Item]:
        others: list[Line] = []
        while self.place < len(self.lines):
            line = self.lines[self.place]
            self.place += 1
            verb, rest = _verb_in(line)
            if verb is None:
                others.append(line)
                continue
            yield from self.orders(others)
            others = []
            yield self.command(line, verb, rest)
        yield from self.orders(others)

    # Commands.

    def command(self, line: Line, verb: Verb, rest: str) -> Command | Fault:
        first = last = line.number
        text = ""
        try:
            if verb.has_text:
                rest, text, last = self.text_after(line, verb, rest)
                if find_tokens(text):
                    raise unreadable("token", "token-told")
            given = read_arguments(verb, rest)
            if verb.has_text:
                given = replace(given, text=text)
        except Unreadable as error:
            last = max(last, self.lines[self.place - 1].number)
            return Fault(first, last, error, verb)
        return Command(first, last, verb, given)

    def text_after(self, line: Line, verb: Verb, rest: str) -> tuple[str, str, int]:
        """What a press says: after a colon to the end of that line, or on lines of its own up to
        ENDPRESS. A text that may end elsewhere than it seems is not sent at all: the next line
        could be an order that is nobody else's to read."""
        head, colon, text = without_links(rest).partition(":")
        start = self.place
        if colon and text.strip():
            if self.may_go_on(start):
                number = self.lines[start].number
                raise unreadable("endless", "text-goes-on", line=number, verb=verb.word)
            return head, text.strip(), line.number
        end = self.closing(start, verb)
        if end is not None and verb.may_lack_text:
            # Without one unless it is the next to end.
            end = None if any(map(self.begins_text, self.lines[start:end])) else end
        if end is None:
            if verb.may_lack_text or not self.may_go_on(start):
                return head, "", line.number
            # Whatever was meant for others stays here, and what was not meant for them too.
            self.place = len(self.lines)
            raise unreadable("endless", "text-endless", verb=verb.word)
        self.place = end + 1
        inside = self.lines[start:end]
        if another := [other.number for other in inside if self.begins_text(other)]:
            raise unreadable("endless", "text-in-text", line=another[0], verb=verb.word)
        text = "\n".join(other.text for other in inside).strip()
        if len(text) > MAX_TEXT:
            raise unreadable("endless", "text-too-long", most=MAX_TEXT)
        return head, text, self.lines[end].number

    def closing(self, start: int, verb: Verb) -> int | None:
        """Where the text of this verb ends, as far as can be seen."""
        places = [
            found[place]
            for word in (verb.word, "TEXT")
            if (found := self.closings.get(word, []))
            and (place := bisect_left(found, start)) < len(found)
        ]
        return min(places, default=None)

    def begins_text(self, line: Line) -> bool:
        verb, rest = _verb_in(line)
        return verb is not None and verb.has_text and _reads(verb, _head(rest))

    def may_go_on(self, place: int) -> bool:
        """Could this line belong to a text before it? Not if it is empty, a command or an order."""
        if place >= len(self.lines):
            return False
        line = self.lines[place]
        if line.is_empty or line.is_quoted:
            return False
        verb, rest = _verb_in(line)
        if verb is not None:
            return not _reads(verb, _head(rest) if verb.has_text else rest)
        if self.game is None or self.deck is None:
            return True
        return not self.game.read_orders(self.deck, [without_comment(line.text)])

    # Orders, and what is neither.

    def orders(self, lines: Sequence[Line]) -> Iterator[Item]:
        texts = [
            # An empty line keeps what is quoted or commented out from joining its neighbours.
            "" if line.is_quoted or line.is_empty else without_comment(line.text)
            for line in lines
        ]
        found: list[Written[object]] = []
        if self.game is not None and self.deck is not None:
            found = self.game.read_orders(self.deck, texts)
        items: list[Item] = []
        covered: set[int] = set()
        for order in found:
            covered.update(range(order.first, order.last + 1))
            first, last = lines[order.first].number, lines[order.last].number
            items.append(replace(order, first=first, last=last))
        for place, text in enumerate(texts):
            if text.strip() and place not in covered:
                number = lines[place].number
                said = "not-understood" if self.game is not None else "not-understood-here"
                items.append(Fault(number, number, unreadable("not-understood", said)))
        yield from sorted(items, key=lambda item: item.first)


def _verb_in(line: Line) -> tuple[Verb | None, str]:
    """The verb with which a line begins, and what follows."""
    if line.is_quoted or line.is_empty:
        return None, ""
    found = _FIRST_WORD.match(without_comment(line.text))
    verb = VERBS.get(found[1].upper()) if found else None
    if verb is None or found is None or not re.match(verb.follows, found[2], re.IGNORECASE):
        return None, ""
    return verb, found[2]


def _head(rest: str) -> str:
    """What follows a word before its text."""
    return without_links(rest).partition(":")[0]


def _reads(verb: Verb, arguments: str) -> bool:
    try:
        read_arguments(verb, arguments)
    except Unreadable:
        return False
    return True
