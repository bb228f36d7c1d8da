"""How far the mailboxes were read, and which mail was left unanswered.

What arrived before a deadline counts, also if it is judged after it: so a deadline is entered when
the mailbox was read after it. While one that has been readable cannot be read, deadlines wait, but
not for ever.
"""

from __future__ import annotations

from typing import Final

import msgspec

from openplan.server.clock import DAY
from openplan.server.store import Tx

LONGEST: Final = DAY
"""For so long a deadline waits for a mailbox."""
KEPT: Final = 30 * DAY
SHOWN: Final = 100


class MailboxSight(msgspec.Struct):
    """A mailbox, read up to a time; `trouble` is why it cannot be read since `trouble_at`."""

    name: str
    read_at: int | None
    trouble: str | None
    trouble_at: int | None


class IgnoredMail(msgspec.Struct):
    """Its Message-ID, and why it was not answered."""

    name: str
    reason: str
    at: int


def use(tx: Tx, name: str) -> tuple[int, int, int | None] | None:
    """This mailbox is read from now on and no other; with no name, none is. How far it was: its
    numbering, the number of a mail, and the time up to which all was judged."""
    tx.execute("DELETE FROM mailboxes WHERE name != ?", name)
    if not name:
        return None
    tx.execute("INSERT INTO mailboxes (name) VALUES (?) ON CONFLICT (name) DO NOTHING", name)
    find = "SELECT validity, uid, read_at FROM mailboxes WHERE name = ?"
    row = tx.row(tuple[int | None, int | None, int | None], find, name)
    return None if row is None or row[0] is None or row[1] is None else (row[0], row[1], row[2])


def note_place(tx: Tx, name: str, validity: int, uid: int) -> None:
    tx.execute("UPDATE mailboxes SET validity = ?, uid = ? WHERE name = ?", validity, uid, name)


def note_read(tx: Tx, name: str, at: int) -> None:
    """All that had come by then is judged."""
    tx.execute(
        "UPDATE mailboxes SET read_at = ?, trouble = NULL, trouble_at = NULL WHERE name = ?",
        at,
        name,
    )


def note_trouble(tx: Tx, name: str, why: str, at: int) -> None:
    tx.execute(
        "UPDATE mailboxes SET trouble = ?, trouble_at = COALESCE(trouble_at, ?) WHERE name = ?",
        why[:500],
        at,
        name,
    )


def waits(tx: Tx, at: int, now: int) -> bool:
    """Whether mail may lie in a mailbox that arrived by then and is not judged."""
    if now >= at + LONGEST:
        return False
    late = "SELECT 1 FROM mailboxes WHERE read_at IS NOT NULL AND read_at < ? LIMIT 1"
    return bool(tx.rows(int, late, at))


def all_of(tx: Tx) -> list[MailboxSight]:
    return tx.rows(
        MailboxSight, "SELECT name, read_at, trouble, trouble_at FROM mailboxes ORDER BY name"
    )


def ignore(tx: Tx, name: str, reason: str, now: int) -> None:
    tx.execute("DELETE FROM ignored_mails WHERE at < ?", now - KEPT)
    tx.execute(
        "INSERT INTO ignored_mails (name, reason, at) VALUES (?, ?, ?)", name[:200], reason, now
    )


def ignored(tx: Tx, most: int = SHOWN) -> list[IgnoredMail]:
    """The newest first."""
    select = "SELECT name, reason, at FROM ignored_mails ORDER BY id DESC LIMIT ?"
    return tx.rows(IgnoredMail, select, most)
