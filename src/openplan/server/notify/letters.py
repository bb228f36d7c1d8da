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

from openplan.mail.outbound.letter import Letter, Plain, Words, to_data
from openplan.mail.outbound.table_letters import NOTICES
from openplan.mail.sentences.letters import spoken_in
from openplan.server.errors import Missing
from openplan.server.people import one_time_links
from openplan.server.people.mail_preferences import Wishes
from openplan.server.store import Tx, jobs


class Phrase(NamedTuple):
    subject: str
    text: str


OF_A_TABLE: Final = (
    *("welcome", "report", "reminder", "late", "press", "announcement", "to-master"),
    *("master-welcome", "master-reminder", "master-late", *NOTICES),
)
"""Letters that `reports` writes, from the match itself."""

# All other letters there are: about an account. A name in braces is filled in from what was posted
# with the letter; `link` leads to the page that uses the letter's ticket, `site` to the front door.
ENGLISH: Final = {
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
        " days:\n\n{link}\n\n{by_mail}"
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
}
GERMAN: Final = {
    "sign-in": Phrase(
        "Dein Link zum Anmelden",
        "Dieser Link meldet dich an. Er gilt einmal, eine Viertelstunde lang:\n\n{link}\n\n"
        "Wenn du ihn nicht verlangt hast, tu nichts: Ohne den Link kommt niemand hinein.\n",
    ),
    "reset": Phrase(
        "Ein neues Passwort",
        "Mit diesem Link wählst du ein neues Passwort. Er gilt einmal, eine halbe Stunde"
        " lang:\n\n{link}\n\n"
        "Wenn du ihn nicht verlangt hast, tu nichts: Dein Passwort bleibt, wie es ist.\n",
    ),
    "confirm": Phrase(
        "Ist das deine Adresse?",
        "Jemand, wahrscheinlich du, hat diese Adresse für ein Konto angegeben. Zum Bestätigen,"
        " binnen drei Tagen:\n\n{link}\n\n{by_mail}"
        "Wenn du es nicht warst, tu nichts: Die Adresse wird nicht benutzt.\n",
    ),
    "no-account": Phrase(
        "Kein Konto mit dieser Adresse",
        "Jemand, wahrscheinlich du, wollte sich mit dieser Adresse anmelden. Hier gibt es kein"
        " Konto damit. Vielleicht war es eine andere, oder du möchtest eines anlegen:\n\n{site}\n",
    ),
    "address-taken": Phrase(
        "Du hast schon ein Konto",
        "Jemand, wahrscheinlich du, hat diese Adresse für ein neues Konto angegeben. Es gibt schon"
        " eines damit; du kannst dich anmelden:\n\n{site}\n\n"
        "Wenn du es nicht warst, tu nichts: Dein Konto bleibt, wie es ist.\n",
    ),
    "address-changed": Phrase(
        "Dein Konto hat eine neue Adresse",
        "Dein Konto gehört jetzt zu einer anderen Mailadresse, und diese wird nicht mehr"
        " benutzt.\n\nWenn du es nicht warst, sag es denen, die die Seite betreiben:\n\n{site}\n",
    ),
    "password-changed": Phrase(
        "Dein Passwort wurde geändert",
        "Das Passwort deines Kontos wurde geändert, und alle, die damit angemeldet waren, wurden"
        " abgemeldet.\n\nWenn du es nicht warst, verlange ein neues Passwort:\n\n{site}\n",
    ),
}
LETTERS: Final = {"en": ENGLISH, "de": GERMAN}
_BY_MAIL: Final = {
    "en": "Or reply to this letter with 'CONFIRM' between BEGIN and END.\n\n",
    "de": "Oder antworte auf diesen Brief mit 'CONFIRM' zwischen BEGIN und END.\n\n",
}


def post(tx: Tx, to: str, kind: str, payload: Mapping[str, Any], now: int) -> None:
    """A letter to a mail address, or to whatever address a person (by id) has when it is carried.
    `ticket` in the payload gives it a link; `until`: later it is of no use."""
    assert kind in ENGLISH or kind in OF_A_TABLE, kind
    payload = {**payload, "to": to, "kind": kind, "at": now}
    jobs.add(tx, "letter", secrets.token_hex(16), payload, now=now)
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
    jobs.add(tx, "letter", secrets.token_hex(16), payload, now=now)
    tx.notify("letter", "")


def language_of(tx: Tx, reader: str, otherwise: str = "en") -> str:
    """Of a person or an address, as far as it is known here."""
    row = tx.one(
        "SELECT language FROM users WHERE (id = ? OR email = ? OR new_email = ?)"
        " AND deleted_at IS NULL LIMIT 1",
        reader,
        reader,
        reader,
    )
    return spoken_in(otherwise if row is None else row.language)


def phrased(payload: Mapping[str, Any], language: str, *, site: str, secret: bytes) -> Letter:
    """A letter about an account; the same each time."""
    phrase = LETTERS[language][payload["kind"]]
    by_mail = _BY_MAIL[language] if payload.get("reply_to") else ""
    known = {"site": site, "by_mail": by_mail, **payload}
    if ticket := payload.get("ticket"):
        known["link"] = f"{site}/letter/{payload['kind']}#{one_time_links.token(secret, ticket)}"
    text = phrase.text.format_map(known).strip()
    # A link stands on a line of its own, however long it is.
    parts = text.split("\n\n")
    blocks = [Plain(part) if part.startswith("http") else Words(part) for part in parts]
    return Letter(payload["kind"], phrase.subject.format_map(known), blocks)
