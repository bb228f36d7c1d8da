"""The tables of the store, as SQLAlchemy metadata: for migrations, and for a test that they agree.

The program itself speaks SQL through `Store`. Times are microseconds since 1970 in UTC, from the
program's clock; ids are texts that nobody can guess; JSON is text.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
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
    _maybe("new_email"),  # not yet confirmed; only a confirmed one is in `email`
    _text("zone", "UTC"),
    _text("language", "en"),
    _text("wishes", "{}"),  # JSON: what to be told of, and how
    _maybe("mail_trouble"),  # why mail does not reach them, until it does
    _maybe("calendar"),  # of what the address of their calendar is made, with the secret
)

sessions = Table(
    "sessions",
    metadata,
    _id(),  # a hash of what the cookie holds: who reads the database cannot sign in with it
    _of("user_id", "users.id"),
    _time("created_at"),
    _time("seen_at"),
    _time("expires_at"),
    _text("agent", ""),  # what the browser calls itself, so that its owner knows it in a list
)
Index("sessions_by_user", sessions.c.user_id)
Index("sessions_by_end", sessions.c.expires_at)

# Who has opened the operator's page; the id as for sessions.
operator_sessions = Table(
    "operator_sessions", metadata, _id(), _time("created_at"), _time("expires_at")
)

# What somebody was called before, so that it can be forgotten with the account.
earlier_names = Table(
    "earlier_names",
    metadata,
    _of("user_id", "users.id", key=True),
    Column("name", Text, primary_key=True),
)

# From where somebody came in: keyed hashes of a browser and of a network address, of which neither
# can be made again. People who share one may be the same person.
marks = Table(
    "marks",
    metadata,
    _of("user_id", "users.id", key=True),
    Column("mark", Text, primary_key=True),
    _time("at"),
)
Index("marks_by_mark", marks.c.mark)

# A link sent by mail. The link itself is made from the id with the secret that is not in here.
tickets = Table(
    "tickets",
    metadata,
    _id(),
    _text("kind"),  # sign-in, reset, confirm; operator, which is printed
    _text("email"),
    _of("user_id", "users.id", needed=False),  # nobody: the address is not known here
    _time("created_at"),
    _time("expires_at"),
    _time("used_at", needed=False),
)
Index("tickets_by_email", tickets.c.email, tickets.c.created_at)
Index("tickets_by_user", tickets.c.user_id)

# How often somebody tried to come in; of `who` no address can be made.
attempts = Table(
    "attempts",
    metadata,
    Column("who", Text, primary_key=True),
    Column("minute", BigInteger, primary_key=True),
    Column("number", Integer, nullable=False),
)
Index("attempts_by_minute", attempts.c.minute)

# How people keep to their time, counted at each table.
reliability = Table(
    "reliability",
    metadata,
    _of("user_id", "users.id", key=True),
    _of("table_id", "tables.id", key=True),
    _count("on_time"),
    _count("reminded"),
    _count("late"),
    _count("abandoned"),
    _time("at"),
)

# Whom somebody does not want to meet (block) or to hear (mute).
shunned = Table(
    "shunned",
    metadata,
    _of("user_id", "users.id", key=True),
    _of("other_id", "users.id", key=True),
    _text("kind"),
    _time("at"),
)
Index("shunned_by_other", shunned.c.other_id)

reports = Table(
    "reports",
    metadata,
    _number(),
    _of("user_id", "users.id"),  # who reports
    _of("about_id", "users.id"),
    _maybe("table_id"),
    _text("text"),
    _time("at"),
    _time("closed_at", needed=False),
)
Index("reports_by_about", reports.c.about_id)
Index("reports_by_user", reports.c.user_id)

# How a match ended for each who began it, in the order in which matches ended. Ratings can be
# computed again from these.
results = Table(
    "results",
    metadata,
    _number(),
    _of("table_id", "tables.id"),
    Column("seat", Integer, nullable=False),
    _of("user_id", "users.id", needed=False),  # nobody: a bot
    _text("game"),
    Column("place", Integer, nullable=False),  # 1 is the best; several may share it
    _count("is_rated"),
    Column("mu", Double),  # after the match, if it is rated
    Column("sigma", Double),
    _time("at"),
    Column("percent", Integer, nullable=False, server_default="100"),  # so much of it counted
    _text("lessened", ""),  # why it counted less
    UniqueConstraint("table_id", "seat"),
)
Index("results_by_user", results.c.user_id, results.c.id)

ratings = Table(
    "ratings",
    metadata,
    _of("user_id", "users.id", key=True),
    _id("game"),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    _count("matches"),
)
Index("ratings_by_game", ratings.c.game, ratings.c.mu)

# -- Matches ---------------------------------------------------------------------------------

# The content of decks, each once: who has it, and what they call it, is with those who refer to it.
deck_texts = Table(
    "deck_texts",
    metadata,
    _id(),  # a hash of the game and the whole text
    _text("game"),
    _text("text"),
    Column("size", Integer, nullable=False),  # in bytes
    _time("used_at"),  # somebody began to refer to it, about then
)
Index("deck_texts_by_use", deck_texts.c.used_at)

# Decks that people make, as they are now. What is played with is copied to `deck_texts`.
decks = Table(
    "decks",
    metadata,
    _id(),
    _of("user_id", "users.id"),
    _of("maker_id", "users.id", needed=False),  # whose it was first, if it is a copy
    _text("game"),
    _text("title"),
    _text("shared"),  # private, link, public, or withdrawn by the operator
    _text("text"),
    Column("size", Integer, nullable=False),  # in bytes
    Column("faults", Integer, nullable=False),  # with none it can be played with
    Column("edit", Integer, nullable=False),  # how often it was changed
    _time("created_at"),
    _time("changed_at"),
)
Index("decks_by_user", decks.c.user_id)
Index("decks_by_maker", decks.c.maker_id)
Index("decks_by_sharing", decks.c.shared, decks.c.changed_at)

# What a deck was before its maker came back to it.
deck_versions = Table(
    "deck_versions",
    metadata,
    _of("deck_id", "decks.id", key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _of("user_id", "users.id"),
    _text("text"),
    Column("size", Integer, nullable=False),
    _time("at"),
)
Index("deck_versions_by_user", deck_versions.c.user_id, deck_versions.c.at)

# What bots find out about a deck by playing with it; the last time somebody asked.
deck_trials = Table(
    "deck_trials",
    metadata,
    _of("deck_id", "decks.id", key=True),
    _of("user_id", "users.id"),
    _text("text"),  # of the deck, as it was then
    _text("state"),  # waiting, running, done, stopped, failed
    Column("games", Integer, nullable=False),
    _count("played"),
    _maybe("result"),  # JSON, once it is done
    _time("at"),
)
Index("deck_trials_by_user", deck_trials.c.user_id)

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
    _text("deck_text"),  # of older tables, until it has come to `deck_texts`; then it is empty
    _maybe("options"),  # JSON: how it is played; nothing in older tables, which have it in these:
    _text("house", "{}"),
    _text("clock", "{}"),
    _count("is_public"),  # also the list of tables goes by this
    _count("rated"),
    _count("hot_seat"),
    _count("hints"),
    _text("take_back", ""),
    _text("entry", "{}"),
    _text("absence", "{}"),
    _text("press", "{}"),
    _text("state"),  # waiting, playing, over, aborted, held
    _of("owner_id", "users.id", needed=False),
    Column("invite", Text, unique=True),
    _maybe("deal"),  # JSON, from the start on
    _maybe("salt"),  # the server's own chance; in older matches a salt over the deal
    _maybe("commitment"),
    _maybe("chance"),  # JSON, from the start on: what each seat added; nothing in older matches
    _maybe("first_names"),  # JSON, from the start on
    _text("offers", "{}"),  # JSON: what waits for consent
    _maybe("result"),  # JSON, once it is over
    _maybe("rematch_of"),
    _time("created_at"),
    _time("started_at", needed=False),
    _time("ended_at", needed=False),
    _time("changed_at"),
    _maybe("master_id"),  # the game master
    _maybe("master_invite"),
    _maybe("next_master_id"),  # who would be the game master, if all seats agree
    _text("next_master_by", "[]"),  # JSON: the seats that do
    _of("deck_id", "deck_texts.id", needed=False),
    _maybe("evaluator"),  # what judged moves when the match began; nothing in older matches
)
Index("tables_by_state", tables.c.state, tables.c.changed_at)
Index("tables_by_commitment", tables.c.commitment)
Index("tables_by_deck", tables.c.deck_id)

seats = Table(
    "seats",
    metadata,
    _of("table_id", "tables.id", key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    _of("user_id", "users.id", needed=False),
    _maybe("bot"),
    _text("name", ""),
    _time("joined_at", needed=False),
    _maybe("chance"),  # what its player's browser adds, until the match begins
    _maybe("first_user_id"),  # who sat here when the match began
    _maybe("acting_id"),  # of the release before; nobody acts as a player any more
    _count("is_open"),  # a standby may take it
    _count("reported_ply"),  # what happened up to here its player was told of by mail
)
Index("seats_by_user", seats.c.user_id)

# Who has opened a table, from a seat or not: such a person never becomes its game master.
table_looks = Table(
    "table_looks",
    metadata,
    _of("table_id", "tables.id", key=True),
    _of("user_id", "users.id", key=True),
    _time("at"),
)
Index("table_looks_by_user", table_looks.c.user_id)

# And from which browser, whoever was signed in there or not.
device_looks = Table(
    "device_looks",
    metadata,
    _of("table_id", "tables.id", key=True),
    Column("mark", Text, primary_key=True),
    _time("at"),
)

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

# What the log led to at some ply, so that loading need not go all the way. A cache: whatever does
# not fit is dropped, and the log decides.
snapshots = Table(
    "snapshots",
    metadata,
    _of("table_id", "tables.id", key=True),
    _text("format"),
    Column("ply", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

# Looking back on a match that is over: what was asked for or came by itself, and what was found.
reviews = Table(
    "reviews",
    metadata,
    _of("table_id", "tables.id", key=True),
    _of("user_id", "users.id", needed=False),  # nobody: made by itself
    _text("evaluator"),
    Column("depth", Integer, nullable=False),
    _text("state"),  # waiting, working, done, failed
    _count("judged"),  # so many entries of
    Column("entries", Integer, nullable=False),
    _maybe("result"),  # JSON, once it is done
    _text("posted_to", "[]"),  # JSON: the seats that have asked for it by mail
    _time("at"),
)
Index("reviews_by_user", reviews.c.user_id)

# What of it is summed up over matches: what each seat's draws were worth, in points.
review_seats = Table(
    "review_seats",
    metadata,
    _of("table_id", "tables.id", key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("luck", Double, nullable=False),
    Column("margin", Integer, nullable=False),
    Column("adjusted", Double, nullable=False),
)

# And the moves from which somebody may learn most.
review_mistakes = Table(
    "review_mistakes",
    metadata,
    _of("table_id", "tables.id", key=True),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("cost", Double, nullable=False),
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
Index("outbox_by_ident", outbox.c.ident, outbox.c.kind)

# A wake-up for a table: what is due follows from its log, so that waking twice is harmless.
deadlines = Table(
    "deadlines",
    metadata,
    _of("table_id", "tables.id", key=True),
    _time("due_at"),  # while it is leased: when the lease ends
)
Index("deadlines_by_due", deadlines.c.due_at)

# Time for each stretch of a match in which the same seats are waited for. It begins with an entry
# and is known by that entry's ply, so that a move taken back brings its old deadline back too.
turns = Table(
    "turns",
    metadata,
    _of("table_id", "tables.id", key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    _time("base_at"),  # the deadline by the table's clock alone
    _time("due_at"),  # the deadline as it is now
    _time("act_at"),  # when the table's policy for absence comes in
    _count("stage"),  # how many reminders have gone out
    _text("tried", ""),  # what was done about absence already
    _text("waits", "[]"),  # JSON: seats that want to wait for the deadline
    _text("reminded", "[]"),  # JSON: seats
    _text("late", "[]"),  # JSON: seats
    _text("readiness", "{}"),  # JSON: see `turns.Readiness`
    _count("moves"),  # how often the deadline was moved
    _time("moved_at", needed=False),  # when that was the last time
)

# When somebody is away: at all tables, or at one.
absences = Table(
    "absences",
    metadata,
    _id(),
    _of("user_id", "users.id"),
    _of("table_id", "tables.id", needed=False),
    _time("from_at"),
    _time("until_at"),
    _time("created_at"),
)
Index("absences_by_user", absences.c.user_id)

# Who would take a seat that falls empty, first come first served.
standbys = Table(
    "standbys",
    metadata,
    _of("table_id", "tables.id", key=True),
    _of("user_id", "users.id", key=True),
    _time("created_at"),
)

# When nobody could play, because no server was up: time that counts for nobody.
outages = Table(
    "outages",
    metadata,
    _number(),
    _time("from_at"),
    _time("to_at"),
    _of("table_id", "tables.id", needed=False),  # nothing: everywhere
)

# When a server was last known to be up. One row.
pulse = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _time("at"),
)

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

# Press: letters between seats. Who wrote a grey one is known here and told to nobody.
press = Table(
    "press",
    metadata,
    _id(),
    _of("table_id", "tables.id"),
    _of("user_id", "users.id", needed=False),
    Column("seat", Integer),  # nobody's: the game master
    _count("is_grey"),
    _text("addressees", "[]"),  # JSON: codes of seats, `master`, `all`
    _text("text"),
    Column("turn", Integer, nullable=False),
    _count("is_held"),  # until the turn's report
    _time("at"),
    _text("name", ""),  # what its author was called then; nothing in older ones
)
Index("press_by_table", press.c.table_id, press.c.at)

notes = Table(
    "notes",
    metadata,
    _of("table_id", "tables.id", key=True),
    _of("user_id", "users.id", key=True),
    _text("text"),
    _time("at"),
)

# Moves half made, of a seat at a table or of a lesson. Nobody but their author is shown them.
drafts = Table(
    "drafts",
    metadata,
    _of("user_id", "users.id", key=True),
    _id("place"),  # a table and a seat's code, or a lesson
    _of("table_id", "tables.id", needed=False),
    _text("text"),
    _time("at"),
)
Index("drafts_by_table", drafts.c.table_id)

# How far somebody was shown a table: the last entry of their record, and how many turns of sealed
# orders were opened before their eyes.
seen = Table(
    "seen",
    metadata,
    _of("user_id", "users.id", key=True),
    _id("place"),  # a table and a seat's code, or none where several sit at one screen
    _of("table_id", "tables.id"),
    _count("entry"),
    _count("turn"),
)
Index("seen_by_table", seen.c.table_id)

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

# -- Play by mail ----------------------------------------------------------------------------

# The short name of a table in tokens and in `GAME n`, given when the first letter needs one. It is
# never given again, so that an old token can never open another table.
mail_tables = Table(
    "mail_tables",
    metadata,
    _number(),
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False, unique=True),
    sqlite_autoincrement=True,
)

invitations = Table(
    "invitations",
    metadata,
    _number(),
    _of("table_id", "tables.id"),
    _text("email"),
    _time("created_at"),
    sqlite_autoincrement=True,
)

# Mails that came, so that each is obeyed once; `vain`: the turn in which it held nothing for us.
mails = Table(
    "mails",
    metadata,
    _id("person"),
    _id("name"),
    _text("vain", ""),
    _count("is_answered"),
    _time("at"),
)
Index("mails_by_time", mails.c.at)

# Letters that have left, for a while, so that one that comes back is noted on its reader.
sent_letters = Table(
    "sent_letters",
    metadata,
    _id("name"),
    _text("reader"),  # a person or an address
    _time("at"),
    _text("kind", ""),
    _text("subject", ""),
    _maybe("table_id"),  # what it is about, if about one
    _maybe("trouble"),  # why it did not arrive
    _time("read_at", needed=False),  # by the operator
)
Index("sent_letters_by_time", sent_letters.c.at)

# How far each mailbox was read: what was judged counts, not what is marked as read there.
mailboxes = Table(
    "mailboxes",
    metadata,
    _id("name"),
    _time("validity", needed=False),  # of its numbers, as IMAP has it
    _time("uid", needed=False),  # up to this number all was judged
    _time("read_at", needed=False),  # all that had come by then was judged
    _maybe("trouble"),  # why it cannot be read
    _time("trouble_at", needed=False),  # since when
)

# Mail that was not answered, for a while: its Message-ID and why.
ignored_mails = Table(
    "ignored_mails", metadata, _number(), _text("name"), _text("reason"), _time("at")
)
Index("ignored_mails_by_time", ignored_mails.c.at)

watchers = Table(
    "watchers",
    metadata,
    _of("table_id", "tables.id", key=True),
    _of("user_id", "users.id", key=True),
    _time("created_at"),
)

# -- Being told ------------------------------------------------------------------------------

# How somebody wants to be told of one table, where that differs from all others.
table_wishes = Table(
    "table_wishes",
    metadata,
    _of("user_id", "users.id", key=True),
    _of("table_id", "tables.id", key=True),
    _text("wishes", "{}"),  # JSON
)

# Who has a table before them just now.
presence = Table(
    "presence",
    metadata,
    _of("user_id", "users.id", key=True),
    _of("table_id", "tables.id", key=True),
    _time("until_at"),
)

# Browsers that take pushes. Only they can read what is sealed with their keys.
pushes = Table(
    "pushes",
    metadata,
    _id(),  # a hash of the endpoint
    _of("user_id", "users.id"),
    _text("endpoint"),
    _text("key"),
    _text("auth"),
    _text("agent", ""),
    _time("created_at"),
)
Index("pushes_by_user", pushes.c.user_id)

# Addresses of other programs: of a person, or of a table.
hooks = Table(
    "hooks",
    metadata,
    _id(),
    _of("user_id", "users.id"),
    _of("table_id", "tables.id", needed=False),
    _text("kind"),  # json, discord, slack, matrix
    _text("address"),
    _text("secret", ""),  # what a Matrix server asks for
    _maybe("trouble"),  # why it is not reached
    _time("created_at"),
)
Index("hooks_by_user", hooks.c.user_id)
Index("hooks_by_table", hooks.c.table_id)
