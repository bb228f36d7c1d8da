"""Who writes a mail, by its token or its sender's address; and how often they are answered."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from openplan.mail.commands.port import Bearer, Role
from openplan.mail.inbound.tokens import GUEST, HOUSE, MASTER, SEAT, Claim, make_token
from openplan.server.clock import DAY, HOUR
from openplan.server.notify.mail_preferences import language_of
from openplan.server.store import Tx
from openplan.server.store.rows import USER, UserRow
from openplan.server.tables.access import FoundTable, load, table_named

UNPROVED_A_DAY: Final = 10
"""Answers to mail that only says whose it is. It has a budget of its own: who forges somebody's
address uses up nothing of what that one gets."""
VAIN_AN_HOUR: Final = 20
"""Answers to somebody's mail that holds nothing for us: no more, or two robots would never end."""
STRANGERS_A_DAY: Final = 200
"""Answers to addresses that nobody here has: each once a day, and no more in all."""
_BY_ADDRESS: Final = 1
_BY_TOKEN: Final = 2
_STRANGER: Final = "what to do"
VISITS_FOR: Final = 30
"""Days for which the token works that somebody at no table is answered with."""
KNOWN_FOR: Final = 400 * DAY
"""How long a mail is known again that comes twice."""


def visit(now: int) -> Claim:
    return Claim(HOUSE, GUEST, None, now // DAY)


def new_address_proof(user: str, email: str) -> str:
    """For what the token is made that asks whether an address is somebody's."""
    return f"{user} {email}"


class MailIdentity:
    """The part of `Post` that asks who somebody is."""

    def __init__(self, tx: Tx, secret: bytes, now: int) -> None:
        self.tx = tx
        self.key = secret
        self.now = now
        self._received = ("", "")

    def holder(self, claim: Claim, sender: str) -> Bearer | None:
        if claim.table == HOUSE:
            return self._visitor(claim, sender)
        table = table_named(self.tx, claim.table)
        here = None if table is None else load(self.tx, table, None)
        if here is None:
            return None
        if claim.role == GUEST:
            return self._guest(claim, here)
        person = here.master if claim.role == MASTER else self._sitter(claim, here)
        row = self.user(person)
        if row is None:
            return None
        role = Role.MASTER if claim.role == MASTER else Role.SEAT
        return Bearer(row.id, role, claim.table, claim.seat, claim.turn, row.language)

    def _sitter(self, claim: Claim, here: FoundTable) -> str | None:
        assert claim.role == SEAT
        if claim.seat is None or claim.seat >= len(here.seats):
            return None
        return here.seats[claim.seat].user_id

    def _guest(self, claim: Claim, here: FoundTable) -> Bearer | None:
        """Somebody invited by mail: the number of the invitation stands for the turn. Without an
        account they are known by the address, and spoken to in the host's language."""
        select = "SELECT email FROM invitations WHERE id = ? AND table_id = ?"
        email = self.tx.row(str, select, claim.turn, here.id)
        if email is None:
            return None
        found = self.known(email)
        host = language_of(self.tx, here.row.owner_id or "")
        person, language = (email, host) if found is None else (found.person, found.language)
        return Bearer(person, Role.GUEST, claim.table, claim.seat, claim.turn, language, email)

    def _visitor(self, claim: Claim, sender: str) -> Bearer | None:
        """Somebody who was answered, or asked whether a new address is theirs. The number is the
        day of that letter: what it can do ends after a while."""
        if claim.role != GUEST or not 0 <= self.now // DAY - claim.turn <= VISITS_FOR:
            return None
        found = self.known(sender) if sender else None
        if found is not None:
            return replace(found, role=Role.GUEST, table=HOUSE, turn=claim.turn)
        row = self.tx.row(
            tuple[str, str],
            "SELECT id, language FROM users WHERE new_email = ? AND email IS NOT NULL"
            " AND deleted_at IS NULL ORDER BY id LIMIT 1",
            sender.lower(),
        )
        if row is None:
            return None
        person, language = row
        proof = new_address_proof(person, sender.lower())
        return Bearer(person, Role.GUEST, HOUSE, None, claim.turn, language, proof)

    def visitor_token(self, person: str) -> str:
        """For the answer to somebody at no table."""
        return make_token(self.key, visit(self.now), person)

    def known(self, address: str) -> Bearer | None:
        select = "SELECT id, language FROM users WHERE email = ? AND deleted_at IS NULL"
        row = self.tx.row(tuple[str, str], select, address.lower())
        return None if row is None else Bearer(row[0], Role.KNOWN, language=row[1])

    def user(self, user: str | None) -> UserRow | None:
        if user is None:
            return None
        return self.tx.row(UserRow, f"{USER} AND email IS NOT NULL", user)

    def receive(self, who: Bearer, name: str) -> bool:
        # An invited guest by the address: with this very mail they may have come to an account.
        is_invited = who.role is Role.GUEST and who.table != HOUSE
        self._received = (who.proof if is_invited else who.person, name)
        self.tx.execute("DELETE FROM mails WHERE at < ?", self.now - KNOWN_FOR)
        return bool(
            self.tx.rows(
                str,
                "INSERT INTO mails (person, name, at) VALUES (?, ?, ?)"
                " ON CONFLICT (person, name) DO NOTHING RETURNING name",
                *self._received,
                self.now,
            )
        )

    def may_answer(self, who: Bearer, *, in_vain: bool) -> bool:
        """Whoever has shown a token is answered each time."""
        writer = self._received[0]
        is_proved = who.role is not Role.KNOWN
        vain = f"{who.table} {who.turn}" if in_vain else ""
        if is_proved:
            may = not in_vain or self._count(writer, _BY_TOKEN, HOUR, "vain != ''") < VAIN_AN_HOUR
        else:
            before = in_vain and self.tx.rows(
                int,
                "SELECT 1 FROM mails WHERE person = ? AND vain = ? AND at > ? LIMIT 1",
                writer,
                vain,
                self.now - 30 * DAY,
            )
            may = not before and self._count(writer, _BY_ADDRESS, DAY) < UNPROVED_A_DAY
        self.tx.execute(
            "UPDATE mails SET is_answered = ?, vain = ? WHERE person = ? AND name = ?",
            (_BY_TOKEN if is_proved else _BY_ADDRESS) if may else 0,
            vain,
            *self._received,
        )
        return may

    def _count(self, writer: str, how: int, within: int, condition: str = "1 = 1") -> int:
        (lately,) = self.tx.rows(
            int,
            "SELECT COUNT(*) FROM mails WHERE person = ? AND is_answered = ? AND at > ?"  # noqa: S608 - of constants
            f" AND {condition}",
            writer,
            how,
            self.now - within,
        )
        return lately

    def may_tell(self, address: str) -> bool:
        """Whether somebody whom nobody knows is told what to do: once a day, and not too many."""
        since = self.now - DAY
        (all_,) = self.tx.rows(
            int, "SELECT COUNT(*) FROM mails WHERE name = ? AND at > ?", _STRANGER, since
        )
        if all_ >= STRANGERS_A_DAY:
            return False
        told = "SELECT 1 FROM mails WHERE person = ? AND name = ? AND at > ?"
        if self.tx.rows(int, told, address, _STRANGER, since):
            return False
        self.tx.execute(
            "INSERT INTO mails (person, name, at) VALUES (?, ?, ?)"
            " ON CONFLICT (person, name) DO UPDATE SET at = excluded.at",
            address,
            _STRANGER,
            self.now,
        )
        return True
