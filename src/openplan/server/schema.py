"""The tables of the store, as SQLAlchemy metadata: for migrations, and for a test that they agree.

The program itself speaks SQL through `Store`. Times are microseconds since 1970 in UTC, from the
program's clock; ids are texts that nobody can guess; JSON is text.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
)

metadata: Final = MetaData()

# SQLite numbers rows by itself only where the type is plain INTEGER.
_NUMBER: Final = BigInteger().with_variant(Integer, "sqlite")


def _text(name: str, default: str | None = None) -> Column[str]:
    """A text that must be there; a default serves old code that does not know the column."""
    return Column(name, Text, nullable=False, server_default=default)


def _maybe(name: str) -> Column[str]:
    return Column(name, Text)


def _count(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, server_default="0")


def _time(name: str, *, needed: bool = True) -> Column[int]:
    return Column(name, BigInteger, nullable=not needed)


def _number() -> Column[int]:
    return Column("id", _NUMBER, primary_key=True, autoincrement=True)


def _id(name: str = "id") -> Column[str]:
    return Column(name, Text, primary_key=True)


def _of(name: str, target: str, *, key: bool = False, needed: bool = True) -> Column[str]:
    return Column(name, Text, ForeignKey(target), primary_key=key, nullable=not (key or needed))


# -- People ----------------------------------------------------------------------------------

users = Table(
    "users",
    metadata,
    _id(),
    _text("kind"),  # guest, member
    _text("name"),
    Column("login", Text, unique=True),
    Column("email", Text, unique=True),
    _maybe("password"),  # argon2
    _time("created_at"),
    _time("deleted_at", needed=False),
)

sessions = Table(
    "sessions",
    metadata,
    _id(),  # a hash of what the cookie holds: who reads the database cannot sign in with it
    _of("user_id", "users.id"),
    _time("created_at"),
    _time("seen_at"),
    _time("expires_at"),
)
Index("sessions_by_user", sessions.c.user_id)

# -- Matches ---------------------------------------------------------------------------------

# One row for a game at a table, from the invitation to the archive. All that a match begins with is
# here, all that happens is in `entries`; the rest can be computed from those two.
tables = Table(
    "tables",
    metadata,
    _id(),
    _text("game"),
    Column("rules_version", Integer, nullable=False),
    _text("deck_name"),
    _text("deck_hash"),
    _text("deck_text"),
    _text("house", "{}"),  # JSON: house rule -> choice
    _text("clock", "{}"),  # JSON
    _count("is_public"),
    _count("rated"),
    _text("take_back", ""),
    _text("state"),  # waiting, playing, over, aborted, held
    _of("owner_id", "users.id", needed=False),
    Column("invite", Text, unique=True),
    _maybe("deal"),  # JSON, from the start on, like the three below
    _maybe("salt"),
    _maybe("commitment"),
    _maybe("first_names"),  # JSON
    _text("offers", "{}"),  # JSON: what waits for consent
    _maybe("result"),  # JSON, once it is over
    _maybe("rematch_of"),
    _time("created_at"),
    _time("started_at", needed=False),
    _time("ended_at", needed=False),
    _time("changed_at"),
)
Index("tables_by_state", tables.c.state, tables.c.changed_at)

seats = Table(
    "seats",
    metadata,
    _of("table_id", "tables.id", key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    _of("user_id", "users.id", needed=False),
    _maybe("bot"),
    _text("name", ""),
    _time("joined_at", needed=False),
)
Index("seats_by_user", seats.c.user_id)

# The log. Rows are added and never changed; the key is what keeps two from taking the same ply.
entries = Table(
    "entries",
    metadata,
    _of("table_id", "tables.id", key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    _text("kind"),
    Column("seat", Integer),
    _text("text", ""),
    _text("facts", "[]"),  # JSON
    _time("at"),
)

submissions = Table(
    "submissions",
    metadata,
    _of("table_id", "tables.id", key=True),
    _of("user_id", "users.id", key=True),
    _id("name"),  # the client's own, so that sending it twice is harmless
    _text("request_hash"),
    _text("result"),  # JSON: what was answered, and is answered again
    _time("at"),
)

# -- What is to be done ----------------------------------------------------------------------

outbox = Table(
    "outbox",
    metadata,
    _number(),
    _text("kind"),
    _text("ident"),
    _text("payload", "{}"),  # JSON
    _time("due_at"),  # while it is leased: when the lease ends
    _maybe("lease"),
    _count("tries"),
    _maybe("trouble"),
    _time("created_at"),
)
Index("outbox_by_due", outbox.c.kind, outbox.c.due_at)

# A wake-up for a table: what is due follows from its log, so that waking twice is harmless.
deadlines = Table(
    "deadlines",
    metadata,
    _of("table_id", "tables.id", key=True),
    _time("due_at"),  # while it is leased: when the lease ends
)
Index("deadlines_by_due", deadlines.c.due_at)

# -- What is said, and what was done ---------------------------------------------------------

chat = Table(
    "chat",
    metadata,
    _of("table_id", "tables.id", key=True),
    _id("room"),  # seats, watchers
    Column("number", Integer, primary_key=True, autoincrement=False),
    _of("user_id", "users.id", needed=False),
    Column("seat", Integer),
    _text("name"),
    _text("text"),
    _time("at"),
)

notes = Table(
    "notes",
    metadata,
    _of("table_id", "tables.id", key=True),
    _of("user_id", "users.id", key=True),
    _text("text"),
    _time("at"),
)

audit = Table(
    "audit",
    metadata,
    _number(),
    _maybe("table_id"),
    _maybe("user_id"),
    _text("act"),
    _text("detail", "{}"),  # JSON
    _time("at"),
)
Index("audit_by_table", audit.c.table_id, audit.c.id)
