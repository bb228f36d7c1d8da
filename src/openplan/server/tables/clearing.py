"""What nobody comes back for goes after a while: tables at which no match began, guests who
finished nothing, with what they began alone, and decks that nobody refers to. Beside this module
and `people.belongings`, one alone writes each table of the store."""

from __future__ import annotations

from typing import Final

from openplan.server.clock import DAY
from openplan.server.store import Tx
from openplan.server.tables.deck_texts import UNUSED

KEPT: Final = 30 * DAY
AT_ONCE: Final = 200
"""So that nobody waits long for a commit; the rest goes next time."""

OF_A_TABLE: Final = [
    "absences",
    "chat",
    "deadlines",
    "drafts",
    "entries",
    "hooks",
    "invitations",
    "mail_tables",
    "notes",
    "outages",
    "presence",
    "press",
    "reliability",
    "results",
    "review_mistakes",
    "review_seats",
    "reviews",
    "seats",
    "seen",
    "snapshots",
    "standbys",
    "submissions",
    "device_looks",
    "table_looks",
    "table_wishes",
    "turns",
    "watchers",
]
OF_A_GUEST: Final = [
    "absences",
    "deck_trials",
    "deck_versions",
    "decks",
    "drafts",
    "earlier_names",
    "hooks",
    "marks",
    "table_looks",
    "table_wishes",
    "notes",
    "presence",
    "pushes",
    "ratings",
    "reliability",
    "seen",
    "sessions",
    "shunned",
    "standbys",
    "submissions",
    "tickets",
    "watchers",
]


def sweep(tx: Tx, now: int) -> int:
    """How many tables and guests went."""
    before = now - KEPT
    tables = tx.rows(
        str,
        "SELECT id FROM tables WHERE state IN ('waiting', 'aborted') AND changed_at < ?"
        " ORDER BY changed_at LIMIT ?",
        before,
        AT_ONCE,
    )
    guests = tx.rows(
        str,
        "SELECT id FROM users WHERE kind = 'guest' AND created_at < ?"
        " AND NOT EXISTS (SELECT 1 FROM sessions WHERE user_id = users.id AND seen_at >= ?)"
        " AND NOT EXISTS (SELECT 1 FROM results WHERE user_id = users.id)"
        # Who sits with somebody else is waited for, by the rules of that table.
        " AND NOT EXISTS (SELECT 1 FROM seats JOIN seats AS others USING (table_id)"
        "  WHERE seats.user_id = users.id AND others.user_id <> users.id)"
        # Who was complained of, or complains, is kept until the operator has looked.
        " AND NOT EXISTS (SELECT 1 FROM reports WHERE users.id IN (user_id, about_id))"
        " ORDER BY created_at LIMIT ?",
        before,
        before,
        AT_ONCE,
    )
    for guest in guests:
        tables += tx.rows(
            str,
            "SELECT id FROM tables WHERE owner_id = ?"
            " OR EXISTS (SELECT 1 FROM seats WHERE table_id = tables.id AND user_id = ?)",
            guest,
            guest,
        )
    for table in dict.fromkeys(tables):
        remove_table(tx, table)
    for guest in guests:
        _remove_guest(tx, guest)
    tx.execute(
        "DELETE FROM deck_texts WHERE used_at < ?"
        " AND NOT EXISTS (SELECT 1 FROM tables WHERE deck_id = deck_texts.id)",
        now - UNUSED,
    )
    return len(set(tables)) + len(guests)


def remove_table(tx: Tx, table: str) -> None:
    for name in OF_A_TABLE:
        tx.execute(f"DELETE FROM {name} WHERE table_id = ?", table)  # noqa: S608 - of constants
    tx.execute("UPDATE tables SET rematch_of = NULL WHERE rematch_of = ?", table)
    tx.execute("DELETE FROM outbox WHERE ident = ?", table)
    tx.execute("DELETE FROM tables WHERE id = ?", table)
    tx.signal("table", table)


def _remove_guest(tx: Tx, guest: str) -> None:
    for name in OF_A_GUEST:
        tx.execute(f"DELETE FROM {name} WHERE user_id = ?", guest)  # noqa: S608 - of constants
    tx.execute("DELETE FROM shunned WHERE other_id = ?", guest)
    for name in ("chat", "press"):  # said at tables of others, who may still read it
        tx.execute(f"UPDATE {name} SET user_id = NULL WHERE user_id = ?", guest)  # noqa: S608 - of constants
    tx.execute("UPDATE reviews SET user_id = NULL WHERE user_id = ?", guest)
    tx.execute("UPDATE decks SET maker_id = NULL WHERE maker_id = ?", guest)
    tx.execute("UPDATE tables SET master_id = NULL WHERE master_id = ?", guest)
    tx.execute("UPDATE seats SET first_user_id = NULL WHERE first_user_id = ?", guest)
    tx.execute("DELETE FROM users WHERE id = ?", guest)
