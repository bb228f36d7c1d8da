"""The queue of letters: each joins it in the transaction of what it tells, and is sent after that.

What waits in the outbox is a letter's kind and what it is about. Its text is made when it is sent,
so that no link that opens an account is ever in the database, and nothing hidden waits there.
Whoever sends it twice after a crash sends the same bytes under the same Message-ID.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

import msgspec

from openplan.server.store import Tx, jobs
from openplan.server.store.jobs import Job

AccountKind = Literal[
    "sign-in",
    "reset",
    "confirm",
    "no-account",
    "address-taken",
    "address-changed",
    "password-changed",
    "stranger",
]
TurnKind = Literal[
    "welcome", "report", "reminder", "late", "master-welcome", "master-reminder", "master-late"
]
NoticeKind = Literal[
    "others-late",
    "moved",
    "mailbox",
    "paused",
    "resumed",
    "stand-in",
    "seat-open",
    "seat-lost",
    "time-up",
    "orders-entered",
    "master",
    "called-off",
    "invitation-returned",
    "master-note",
    "press",
    "announcement",
    "to-master",
    "review",
]
WholeKind = Literal["invitation", "answer", "digest"]


class Queued(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every queued letter has, also one that another version of this program queued. `to` is
    a mail address, or a person (by id) who gets it at whatever address they have by then."""

    to: str
    at: int
    kind: str
    until: int | None = None
    """Later it is of no use."""
    table: str | None = None


class AccountLetter(Queued, frozen=True, kw_only=True, omit_defaults=True):
    """About an account. A `ticket` gives it a link."""

    kind: AccountKind
    ticket: str = ""
    reply_to: str = ""


class TurnLetter(Queued, frozen=True, kw_only=True, omit_defaults=True):
    """A table as it stood after entry `ply`, in turn `number`, for a seat or for who has none."""

    kind: TurnKind
    table: str
    ply: int
    number: int
    seat: int | None
    since: int
    """The entry up to which its reader was told before."""
    due: int | None = None
    grace: int | None = None
    usual: int | None = None
    """The deadline by the table's clock, if it was moved for somebody who is away."""
    states: tuple[tuple[int, str], ...] = ()
    """Whose orders are ready, saved or missing, where the table shows that."""
    absent: tuple[int, ...] = ()
    """Seats without which the turn was carried out."""
    master: Mapping[str, Any] = {}
    """What the game master did to bring it about."""


class Notice(Queued, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is told between the reports of turns. There may be no match yet."""

    kind: NoticeKind
    table: str
    ply: int
    facts: Mapping[str, Any]
    seat: int | None = None


class WholeLetter(Queued, frozen=True, kw_only=True, omit_defaults=True):
    """Written already: an invitation, the answer to a mail, or the daily news."""

    kind: WholeKind
    letter: Mapping[str, Any]
    reply_to: str = ""
    answers: str = ""
    """The Message-ID of the mail that it answers."""
    printed: Mapping[str, Any] | None = None
    """A turn as it is told to be printed: the PDF is enclosed."""


QueuedLetter = AccountLetter | TurnLetter | Notice | WholeLetter
KINDS: Final[dict[str, type[QueuedLetter]]] = {
    **dict.fromkeys(get_args(AccountKind), AccountLetter),
    **dict.fromkeys(get_args(TurnKind), TurnLetter),
    **dict.fromkeys(get_args(NoticeKind), Notice),
    **dict.fromkeys(get_args(WholeKind), WholeLetter),
}
# Made once, when this is loaded: see `match_cache`.
_READERS: Final = {kind: msgspec.json.Decoder(sort) for kind, sort in KINDS.items()}
_ENVELOPES: Final = msgspec.json.Decoder(Queued)


def post(tx: Tx, letter: QueuedLetter) -> None:
    payload: dict[str, Any] = msgspec.to_builtins(letter)
    jobs.add(tx, "letter", secrets.token_hex(16), payload, now=letter.at)
    tx.signal("letter", "")


def queued(job: Job) -> QueuedLetter:
    """The letter that a job is to send. One that this version does not know is refused by a
    `ValueError`."""
    kind = envelope(job).kind
    if kind not in _READERS:
        raise ValueError(f"no letter is called {kind}")
    return _READERS[kind].decode(msgspec.json.encode(job.payload))


def envelope(job: Job) -> Queued:
    """What every version of this program can read of it."""
    return _ENVELOPES.decode(msgspec.json.encode(job.payload))


class WaitingRow(msgspec.Struct, frozen=True, gc=False):
    """Of `outbox`."""

    id: int
    ident: str
    payload: str
    trouble: str | None
    due_at: int


def waiting(tx: Tx, limit: int = 1 << 62) -> list[tuple[WaitingRow, Queued]]:
    """Jobs in the queue, the next first."""
    rows = tx.rows(
        WaitingRow,
        "SELECT id, ident, payload, trouble, due_at FROM outbox WHERE kind = 'letter'"
        " ORDER BY due_at, id LIMIT ?",
        limit,
    )
    return [(row, _ENVELOPES.decode(row.payload)) for row in rows]


def take_back(tx: Tx, *to: str) -> None:
    """Letters to these people or addresses that have not gone yet do not go any more."""
    for row, letter in waiting(tx):
        if letter.to in to:
            jobs.drop(tx, row.id)
