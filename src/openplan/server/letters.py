"""Letters: posted in the transaction of what they tell, written and carried after its commit.

A letter waits in the outbox as its kind and what it is about. Its text is made when it is carried,
so that no link that opens an account is ever in the database. Whoever carries it twice after a
crash carries the same bytes under the same Message-ID.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec

from openplan.mail.letter import Letter, Plain, Words, to_data
from openplan.server import outbox, tickets
from openplan.server.faults import Missing
from openplan.server.store import Tx
from openplan.server.wishes import Wishes


class Phrase(NamedTuple):
    subject: str
    text: str


REPORTS: Final = ("welcome", "report")
"""Letters that `reports` writes, from the match itself."""

# All other letters there are. A name in braces is filled in from what was posted with the letter;
# `link` is the way to the page that uses the letter's ticket, `site` the way to the front door.
LETTERS: Final = {
    "sign-in": Phrase(
        "Your link to sign in",
        "This link signs you in. It works once, within 15 minutes:\n\n{link}\n\n"
        "If you did not ask for it, do nothing: without the link nobody gets in.\n",
    ),
    "reset": Phrase(
        "A new password",
        "With this link you choose a new password. It works once, within half an"
        " hour:\n\n{link}\n\n"
        "If you did not ask for it, do nothing: your password stays as it is.\n",
    ),
    "confirm": Phrase(
        "Is this your address?",
        "Somebody, probably you, gave this address for an account. To confirm it, within three"
        " days:\n\n{link}\n\n"
        "If it was not you, do nothing: the address will not be used.\n",
    ),
    "no-account": Phrase(
        "No account with this address",
        "Somebody, probably you, wanted to sign in with this address. There is no account with it"
        " here. Perhaps you used another one, or you would like to make one:\n\n{site}\n",
    ),
    "address-taken": Phrase(
        "You have an account already",
        "Somebody, probably you, gave this address for a new account. There is one with it"
        " already; you can sign in to it:\n\n{site}\n\n"
        "If it was not you, do nothing: your account stays as it is.\n",
    ),
    "address-changed": Phrase(
        "Your account has a new address",
        "Your account now belongs to another mail address, and this one is no longer used.\n\n"
        "If it was not you, tell whoever runs the site:\n\n{site}\n",
    ),
    "password-changed": Phrase(
        "Your password was changed",
        "The password of your account was changed, and everybody signed in to it was signed"
        " out.\n\nIf it was not you, ask for a new password:\n\n{site}\n",
    ),
    "reminder": Phrase(
        "Your move at {title} is due soon",
        "At the table {table} the time for your move is over in about a day.\n",
    ),
    "late": Phrase(
        "Your move at {title} is late",
        "At the table {table} the deadline has passed, and your move is not there. It can still be"
        " sent until the table's own rule for absence comes in.\n",
    ),
    "others-late": Phrase(
        "The deadline at {title} has passed",
        "At the table {table} the deadline has passed and not everything is there. {late}\n",
    ),
    "stand-in": Phrase(
        "{bot} plays for you at {title}",
        "At the table {table} your time was up, and the bot {bot} took your seat. You can come back"
        " to it at any time.\n",
    ),
    "seat-open": Phrase(
        "Your seat at {title} is open",
        "At the table {table} your time was up, and whoever stands by may take your seat. Send a"
        " move to keep it.\n",
    ),
    "seat-lost": Phrase(
        "Your seat at {title} was taken",
        "At the table {table} somebody else has your seat now.\n",
    ),
    "seat-taken": Phrase(
        "You have a seat at {title}",
        "At the table {table} you have the seat {seat} now. There is a deadline.\n",
    ),
    "time-up": Phrase(
        "Your time at {title} is over",
        "At the table {table} your time has run out.\n",
    ),
    "announcement": Phrase(
        "From the game master of {title}",
        "At the table {table} the game master says:\n\n{text}\n",
    ),
    "master": Phrase(
        "The game master of {title} has acted",
        "At the table {table} the game master has done this: {act}.\n",
    ),
    "became": Phrase(
        "The game master looked at your hand at {title}",
        "At the table {table} the game master has taken your place for a while, sees what you see"
        " and can move for you. The audit log says so too.\n",
    ),
    "to-master": Phrase(
        "A question to you as game master of {title}",
        "At the table {table}, {by} writes to you:\n\n{text}\n",
    ),
    "press": Phrase(
        "Press at {title}",
        "At the table {table}, {by} writes to {to_whom}:\n\n{text}\n",
    ),
}


def post(tx: Tx, to: str, kind: str, payload: Mapping[str, Any], now: int) -> None:
    """A letter to a mail address, or to whatever address a person (by id) has when it is carried.
    `ticket` in the payload gives it a link; `until`: later it is of no use."""
    assert kind in LETTERS or kind in REPORTS, kind
    payload = {**payload, "to": to, "kind": kind, "at": now}
    outbox.add(tx, "letter", secrets.token_hex(16), payload, now=now)
    tx.notify("letter", "")


def unsubscribe_link(secret: bytes, site: str, user: str) -> str:
    """For as long as the account is there: nobody must have to sign in to be left alone."""
    return f"{site}/unsubscribe/{_unsubscribe_token(secret, user)}"


def unsubscribe(tx: Tx, secret: bytes, token: str) -> None:
    """No more letters about games. Those about the account itself still go."""
    user = token.partition(".")[0]
    is_ours = hmac.compare_digest(
        token.encode("utf-8", "replace"),
        _unsubscribe_token(secret, user).encode("utf-8", "replace"),
    )
    silent = msgspec.json.encode(Wishes(turn=False, reminder=False, end=False, message=False))
    if not is_ours or not tx.execute(
        "UPDATE users SET wishes = ? WHERE id = ? AND deleted_at IS NULL RETURNING id",
        silent.decode(),
        user,
    ):
        raise Missing


def _unsubscribe_token(secret: bytes, user: str) -> str:
    mark = hmac.new(secret, f"unsubscribe {user}".encode("utf-8", "replace"), hashlib.sha256)
    return f"{user}.{mark.hexdigest()[:32]}"


def arrives(tx: Tx, user: str) -> None:
    """Somebody has shown that letters reach them."""
    tx.execute("UPDATE users SET mail_trouble = NULL WHERE id = ?", user)


def take_back(tx: Tx, *to: str) -> None:
    """Letters to these people or addresses that have not gone yet do not go any more."""
    for row in tx.execute("SELECT id, payload FROM outbox WHERE kind = 'letter'"):
        if json.loads(row.payload)["to"] in to:
            tx.execute("DELETE FROM outbox WHERE id = ?", row.id)


def post_whole(
    tx: Tx,
    to: str,
    letter: Letter,
    now: int,
    *,
    table: str | None,
    reply_to: str = "",
    answers: str = "",
) -> None:
    """A letter that is written already: an invitation, or the answer to a mail."""
    whole = {"letter": to_data(letter), "table": table, "reply_to": reply_to, "answers": answers}
    payload = {"to": to, "kind": letter.kind, "at": now, **whole}
    outbox.add(tx, "letter", secrets.token_hex(16), payload, now=now)
    tx.notify("letter", "")


def phrased(payload: Mapping[str, Any], *, site: str, secret: bytes) -> Letter:
    """A letter about an account, or a short note about a table; the same each time."""
    phrase = LETTERS[payload["kind"]]
    known = {"site": site, **payload}
    if ticket := payload.get("ticket"):
        known["link"] = f"{site}/letter/{payload['kind']}#{tickets.token(secret, ticket)}"
    text = phrase.text.format_map(known).strip()
    # A link stands on a line of its own, however long it is.
    parts = text.split("\n\n")
    blocks = [Plain(part) if part.startswith("http") else Words(part) for part in parts]
    return Letter(payload["kind"], phrase.subject.format_map(known), blocks)
