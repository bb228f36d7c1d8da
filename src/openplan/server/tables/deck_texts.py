"""The content of decks, each once by its hash: whoever has one refers to it, under a name of their
own. What nobody refers to any more goes (`tables.clearing`)."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from openplan.server.clock import DAY
from openplan.server.store import Tx
from openplan.server.tables.table_rows import change_table

AT_ONCE: Final = 200
UNUSED: Final = DAY
"""So long a content stays that nobody refers to, so that none goes while somebody takes it up."""


def keep(tx: Tx, game: str, text: str, now: int) -> str:
    """The id of this content, which is there from now on."""
    data = text.encode()
    deck = sha256(f"{game}\n".encode() + data).hexdigest()
    used_at = tx.row(int, "SELECT used_at FROM deck_texts WHERE id = ?", deck)
    # Not each time: everybody who opens a table with the same deck would wait for the others.
    if used_at is None or used_at < now - UNUSED // 2:
        tx.execute(
            "INSERT INTO deck_texts (id, game, text, size, used_at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at",
            deck,
            game,
            text,
            len(data),
            now,
        )
    return deck


def at_table(tx: Tx, table: str) -> str:
    """The text of the deck that a table plays with; an older table has it in its own row."""
    (text,) = tx.rows(
        str,
        "SELECT COALESCE(deck_texts.text, tables.deck_text) FROM tables"
        " LEFT JOIN deck_texts ON deck_texts.id = tables.deck_id WHERE tables.id = ?",
        table,
    )
    return text


def gather(tx: Tx, now: int) -> int:
    """Texts that older tables have in their own rows come here; how many did, of many some."""
    found = tx.rows(
        tuple[str, str, str],
        "SELECT id, game, deck_text FROM tables WHERE deck_id IS NULL AND deck_text <> '' LIMIT ?",
        AT_ONCE,
    )
    for table, game, text in found:
        change_table(tx, table, deck_id=keep(tx, game, text, now), deck_text="")
    return len(found)
