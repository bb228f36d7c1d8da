"""Who may take a seat: what a rated table asks, what a table's maker asks, and who is shunned."""

from __future__ import annotations

from openplan.core.game import Illegal
from openplan.server.errors import Forbidden
from openplan.server.people import blocks, ratings, reliability
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.tables.access import FoundTable
from openplan.server.tables.options import TableOptions


def check_new(
    person: Person, options: TableOptions, *, bots: bool, own_deck: bool, invites_master: bool
) -> None:
    """A rated table refuses what does not count, from the start."""
    if not options.rated:
        return
    reasons = {
        "rated-guest": person.kind == "guest",
        "rated-bots": bots,
        "rated-shared": options.hot_seat,
        "rated-hints": options.hints,
        "rated-take-backs": options.take_back != "strict",
        "rated-own-deck": own_deck,
        "rated-master": invites_master,
        "rated-clock": options.clock.kind == "none",
    }
    for reason, is_so in reasons.items():
        if is_so:
            raise refused(Illegal, "rated", reason)


def admit(tx: Tx, here: FoundTable, person: Person) -> None:
    """Let somebody sit down, or say why not. Whom somebody at the table has blocked is told what is
    told to whoever comes too late."""
    ask(tx, here, person)
    blocker = blocks.who_blocks(tx, here.company, person.id)
    if blocker == person.id:
        raise refused(Illegal, "blocked")
    if blocker is not None:
        raise blocks.taken()


def ask(tx: Tx, here: FoundTable, person: Person) -> None:
    """Whether somebody is as the table asks."""
    entry = here.options.entry
    if person.kind == "guest" and (here.options.rated or entry.members):
        raise refused(Forbidden, "members")
    if entry.reliable:
        found = reliability.of(tx, person.id).percent
        if found is not None and found < entry.reliable:
            raise refused(Forbidden, "reliable", asked=entry.reliable, found=found)
    if entry.rating_from or entry.rating_to:
        shown = ratings.of(tx, person.id, here.game.name).shown
        if not entry.rating_from <= shown <= (entry.rating_to or shown):
            said = "rating" if entry.rating_to else "rating-from"
            least, most = entry.rating_from, entry.rating_to
            raise refused(Forbidden, "rating", said, least=least, most=most, shown=shown)
