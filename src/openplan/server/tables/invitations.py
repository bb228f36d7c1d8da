"""Invitations to a table by letter, within limits: the address may be a stranger's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from openplan.core.game import Illegal, Seat
from openplan.mail.inbound.tokens import GUEST, Claim, make_token
from openplan.mail.outbound import table_letters as written
from openplan.mail.outbound.letter import to_data
from openplan.mail.outbound.table_letters import Invited, Reader
from openplan.server.clock import DAY
from openplan.server.errors import Forbidden
from openplan.server.notify.letters import WholeLetter, post
from openplan.server.notify.mail_preferences import language_of
from openplan.server.notify.wishes import wishes_of
from openplan.server.people import blocks
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.tables.access import FoundTable, find, seat_coded, table_name
from openplan.server.tables.lifecycle import check_waiting
from openplan.server.tables.schedule import WEEKDAYS
from openplan.server.texts import readable

MOST_INVITATIONS: Final = 30
"""In a day, to tables of one person."""
MAX_NOTE: Final = 500
MOST_TO_ONE: Final = 3
"""In a day, to one address, whoever invites."""


def invite(
    tx: Tx,
    person: Person,
    table: str,
    email: str,
    now: int,
    *,
    secret: bytes,
    site: str,
    reply: Callable[[str], str],
    note: str = "",
) -> None:
    """A letter to an address, whose owner takes a seat by answering it, with a `note` from who
    invites. Whether the address is known here is not told to who invites."""
    note = readable(note.strip(), MAX_NOTE, breaks="\n\t", needed=False)
    here = find(tx, table, person, lock=True)
    check_waiting(here)
    link = f"{site}/table/{here.id}?invite={here.row.invite}"
    _write(tx, here, person, email, now, secret, link, reply, note, None)


def offer(
    tx: Tx,
    person: Person,
    table: str,
    code: str,
    email: str,
    now: int,
    *,
    secret: bytes,
    site: str,
    reply: Callable[[str], str],
) -> None:
    """The game master asks somebody to take a seat of a match that is played. Nothing tells whether
    the address is known here."""
    here = find(tx, table, person, lock=True)
    seat = seat_coded(here.game, code)
    _write(tx, here, person, email, now, secret, f"{site}/table/{here.id}", reply, "", seat)


def _write(
    tx: Tx,
    here: FoundTable,
    person: Person,
    email: str,
    now: int,
    secret: bytes,
    link: str,
    reply: Callable[[str], str],
    note: str,
    seat: Seat | None,
) -> None:
    if person.kind == "guest":  # anybody can be one, as often as they like
        raise refused(Forbidden, "guest-invites")
    if here.row.owner_id != person.id and here.master != person.id:
        raise refused(Forbidden, "not-owner")
    select = "SELECT id, wishes FROM users WHERE email = ? AND deleted_at IS NULL"
    guest, wishes = tx.row(tuple[str, str], select, email) or (None, "")
    if guest == person.id:
        raise refused(Illegal, "yourself")
    _check_invitations(tx, here, person, email, now)
    (number,) = tx.rows(
        int,
        "INSERT INTO invitations (table_id, email, created_at) VALUES (?, ?, ?) RETURNING id",
        here.id,
        email,
        now,
    )
    if guest is not None and not _is_welcome(tx, here, person, guest, wishes):
        return
    name = table_name(tx, here.id)
    token = make_token(secret, Claim(name, GUEST, seat, number), email)
    letter = written.invitation(
        here.game,
        person.name,
        name,
        link,
        Reader(None, token, language_of(tx, guest or person.id)),
        _facts(here, language_of(tx, guest or person.id)),
        note,
        seat,
    )
    post(
        tx,
        WholeLetter(
            to=email,
            at=now,
            kind="invitation",
            letter=to_data(letter),
            table=here.id,
            reply_to=reply(token),
        ),
    )


def _facts(here: FoundTable, language: str) -> Invited:
    """How fast it is played, and who sits there."""
    clock, game = here.options.clock, here.game
    seats = [
        (game.seats[row.seat], game.seat_name(Seat(row.seat), language), row.name)
        for row in here.seats
    ]
    return Invited(
        seats=tuple(seats),
        kind=clock.kind,
        days=clock.days,
        time=f"{clock.time} {clock.zone}",
        weekdays=() if clock.weekdays == WEEKDAYS else tuple(clock.weekdays),
        least=clock.least,
        minutes=clock.bank // 60,
        increment=clock.increment,
    )


def _check_invitations(tx: Tx, here: FoundTable, person: Person, email: str, now: int) -> None:
    """Nobody is made to get much mail by somebody whom they may not know, nor we to send it."""
    lately = tx.rows(
        tuple[str, str, str | None, str | None],
        "SELECT invitations.table_id, email, owner_id, master_id FROM invitations"
        " JOIN tables ON tables.id = invitations.table_id"
        " WHERE invitations.created_at > ? AND (email = ? OR owner_id = ? OR master_id = ?)",
        now - DAY,
        email,
        person.id,
        person.id,
    )
    to_this = [table for table, address, *_ in lately if address == email]
    if here.id in to_this:
        raise refused(Illegal, "invited", "invited-already")
    if len(to_this) >= MOST_TO_ONE:
        raise refused(Illegal, "invited", "invited-enough")
    if sum(person.id in hosts for _, _, *hosts in lately) >= MOST_INVITATIONS:
        raise refused(Illegal, "invitations", most=MOST_INVITATIONS)


def _is_welcome(tx: Tx, here: FoundTable, person: Person, guest: str, wished: str) -> bool:
    """Whoever has blocked somebody there, or wants no letters about games, gets none; whoever
    invites is not told."""
    wishes = wishes_of(wished)
    wants = wishes.mail != "never" and any(
        (wishes.turn, wishes.reminder, wishes.end, wishes.message)
    )
    blocker = blocks.who_blocks(tx, here.company, guest)
    return wants and blocker is None and person.id not in blocks.silenced(tx, guest)
