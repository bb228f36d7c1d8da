"""Who may take a seat: what a rated table asks, what a table's maker asks, and who is shunned."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from openplan.core.game import Illegal
from openplan.server.errors import Forbidden
from openplan.server.people import blocks, ratings, reliability
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Row, Tx
from openplan.server.tables.access import FoundTable
from openplan.server.tables.timed_match import ClockRule

Points = Annotated[int, Meta(ge=0, le=10_000)]
Percent = Annotated[int, Meta(ge=0, le=100)]


class EntryRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table asks of whoever sits down. Nought and no ask nothing."""

    members: bool = False
    reliable: Percent = 0
    """So many of a hundred moves in time, of whoever has made any."""
    rating_from: Points = 0
    rating_to: Points = 0


_ENTRIES: Final = msgspec.json.Decoder(EntryRules)


def check_new(
    person: Person,
    entry: EntryRules,
    *,
    rated: bool,
    bots: bool,
    shared: bool,
    hints: bool,
    take_back: str,
    own_deck: bool,
    clock: ClockRule,
) -> None:
    """A rated table refuses what does not count, from the start."""
    if entry.rating_to and entry.rating_to < entry.rating_from:
        raise refused(Illegal, "entry")
    if not rated:
        return
    reasons = {
        "rated-guest": person.kind == "guest",
        "rated-bots": bots,
        "rated-shared": shared,
        "rated-hints": hints,
        "rated-take-backs": take_back != "strict",
        "rated-own-deck": own_deck,
        "rated-clock": clock.kind == "none",
    }
    for reason, is_so in reasons.items():
        if is_so:
            raise refused(Illegal, "rated", reason)


def admit(tx: Tx, place: FoundTable, person: Person) -> None:
    """Let somebody sit down, or say why not. Whom somebody at the table has blocked is told what is
    told to whoever comes too late."""
    ask(tx, place, person)
    blocker = blocks.who_blocks(tx, place.company, person.id)
    if blocker == person.id:
        raise refused(Illegal, "blocked")
    if blocker is not None:
        raise blocks.taken()


def entry_rules_of(row: Row) -> EntryRules:
    return _ENTRIES.decode(row.entry)


def ask(tx: Tx, place: FoundTable, person: Person) -> None:
    """Whether somebody is as the table asks."""
    entry = entry_rules_of(place.row)
    if person.kind == "guest" and (place.row.rated or entry.members):
        raise refused(Forbidden, "members")
    if entry.reliable:
        found = reliability.of(tx, person.id).percent
        if found is not None and found < entry.reliable:
            raise refused(Forbidden, "reliable", asked=entry.reliable, found=found)
    if entry.rating_from or entry.rating_to:
        shown = ratings.of(tx, person.id, place.game.name).shown
        if not entry.rating_from <= shown <= (entry.rating_to or shown):
            said = "rating" if entry.rating_to else "rating-from"
            least, most = entry.rating_from, entry.rating_to
            raise refused(Forbidden, "rating", said, least=least, most=most, shown=shown)
