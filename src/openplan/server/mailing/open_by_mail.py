"""A table as it is opened by mail, in a few words: what they mean, and how many may wait."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from openplan.core.game import Illegal
from openplan.core.registry import game_named
from openplan.mail.commands.arguments import Opening
from openplan.server.errors import Forbidden
from openplan.server.mailing import table_options
from openplan.server.mailing.table_options import MailOption
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.tables.access import find
from openplan.server.tables.lifecycle import NewSeat, NewTable, check_waiting
from openplan.server.tables.options import ClockRule
from openplan.server.tables.schedule import WEEKDAYS

GRACE: Final = 24
"""Hours for which the others wait for those who are late."""
MOST_WAITING: Final = 10
"""Tables of one person that have not begun. Somebody on the site is held up by clicks; a mail can
hold a hundred lines."""


def as_wished(opening: Opening, zone: str) -> NewTable:
    game = game_named(opening.game)
    given: dict[str, Any] = {"clock": _clock(opening, zone), "public": opening.is_public}
    for option, value in (table_options.wished(wish, game) for wish in opening.wishes):
        _put(given, option, value)
    seats = [NewSeat("open") for _ in game.seats] if opening.leads else []
    return NewTable(opening.game, seats=seats, **given)


def _put(given: dict[str, Any], option: MailOption, value: Any) -> None:
    head, *rest = option.path
    if not rest:
        given[head] = value
    elif head == "house":
        given[head] = {**given.get(head, {}), rest[0]: value}
    elif option.path == ("clock", "kind"):
        given[head] = ClockRule(value)
    else:
        before = given[head] if head in given else option.whole()
        given[head] = msgspec.structs.replace(before, **{rest[0]: value})


def _clock(opening: Opening, zone: str) -> ClockRule:
    if not opening.time:
        return ClockRule("days", days=opening.days, grace=GRACE)
    # A turn that began a little late still ends at its time: half a day makes up for that.
    least = opening.days * 24 - 12
    return ClockRule(
        "schedule", time=opening.time, zone=zone, weekdays=WEEKDAYS, least=least, grace=GRACE
    )


def check_closes(tx: Tx, person: Person, table: str) -> None:
    """One line of a mail is a slip sooner than a click: here it takes whoever opened the table or
    leads it, and a match that has not begun."""
    place = find(tx, table, person, lock=True)
    if person.id not in (place.row.owner_id, place.master):
        raise refused(Forbidden, "not-owner")
    check_waiting(place)


def waiting(tx: Tx, person: Person) -> list[str]:
    """The tables that somebody has opened and that have not begun."""
    select = "SELECT id FROM tables WHERE owner_id = ? AND state = 'waiting' ORDER BY id"
    return tx.rows(str, select, person.id)


def check_number(tx: Tx, person: Person) -> None:
    if len(waiting(tx, person)) >= MOST_WAITING:
        raise refused(Illegal, "many-waiting", most=MOST_WAITING)
