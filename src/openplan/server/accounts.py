"""Who somebody is: guests kept by a cookie, members who sign in, sessions.

A session's token is known to the cookie alone; the store has its keyed hash. Signing in makes a
new session and ends the old one, so that a token planted before is worth nothing after.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Final

from pwdlib import PasswordHash

from openplan.core.game import Unreadable
from openplan.core.match import checked_name
from openplan.server.faults import Forbidden, NotSignedIn
from openplan.server.store import Conflict, Tx

SECOND: Final = 1_000_000
DAY: Final = 86_400 * SECOND
LASTS: Final = 180 * DAY
MIN_PASSWORD: Final = 8
MAX_PASSWORD: Final = 200

_HASHER: Final = PasswordHash.recommended()
# Checked when there is no such account, so that both answers take the same time.
_NOBODYS_HASH: Final = (
    "$argon2id$v=19$m=65536,t=3,p=4$MIIRqgvgQbgj220jfp0MPA$"
    "YfwJSVjtjSU0zzV/P3S9nnQ/USre2wvJMjfCIjrTQbg"
)


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    name: str
    kind: str
    session: str
    seat: str = ""
    """The seat they speak for at a table, by its code; needed where they hold several."""


def new_id() -> str:
    return secrets.token_urlsafe(16)


def session_id(secret: bytes, token: str) -> str:
    return hmac.new(secret, token.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def hash_password(password: str) -> str:
    """Slow on purpose: never on the event loop, never in a transaction."""
    return _HASHER.hash(password)


def is_password(password: str, stored: str | None) -> bool:
    """Slow on purpose, and as slow if there is nothing to compare with."""
    return _HASHER.verify(password, stored or _NOBODYS_HASH) and stored is not None


def checked_login(login: str) -> str:
    login = login.strip().lower()
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{2,39}", login):
        reason = "a sign-in name has 3 to 40 of the letters a-z, digits, dots and hyphens"
        raise Unreadable("login", reason)
    return login


def checked_password(password: str) -> str:
    if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        raise Unreadable("password", f"a password has {MIN_PASSWORD} to {MAX_PASSWORD} characters")
    return password


# -- Use-cases -------------------------------------------------------------------------------


def who(tx: Tx, session: str, now: int, seat: str = "") -> Person | None:
    row = tx.one(
        "SELECT users.id, users.name, users.kind FROM sessions JOIN users"
        " ON users.id = sessions.user_id"
        " WHERE sessions.id = ? AND sessions.expires_at > ? AND users.deleted_at IS NULL",
        session,
        now,
    )
    return None if row is None else Person(row.id, row.name, row.kind, session, seat)


def become_guest(tx: Tx, session: str, name: str, now: int) -> Person:
    user, name = new_id(), checked_name(name)
    tx.execute(
        "INSERT INTO users (id, kind, name, created_at) VALUES (?, 'guest', ?, ?)",
        user,
        name,
        now,
    )
    _begin_session(tx, session, user, now)
    return Person(user, name, "guest", session)


def register(
    tx: Tx, person: Person | None, session: str, login: str, password_hash: str, name: str, now: int
) -> Person:
    """A new member; a guest becomes the member and keeps all games."""
    if tx.execute("SELECT 1 FROM users WHERE login = ?", login):
        raise Conflict("this sign-in name is taken")
    name = checked_name(name)
    if person is not None and person.kind == "guest":
        user = person.id
        tx.execute(
            "UPDATE users SET kind = 'member', login = ?, password = ?, name = ? WHERE id = ?",
            login,
            password_hash,
            name,
            user,
        )
    else:
        user = new_id()
        tx.execute(
            "INSERT INTO users (id, kind, name, login, password, created_at)"
            " VALUES (?, 'member', ?, ?, ?, ?)",
            user,
            name,
            login,
            password_hash,
            now,
        )
    if person is not None:
        end_session(tx, person)
    _begin_session(tx, session, user, now)
    return Person(user, name, "member", session)


def credentials(tx: Tx, login: str) -> tuple[str, str | None] | None:
    row = tx.one(
        "SELECT id, password FROM users WHERE login = ? AND deleted_at IS NULL",
        login,
    )
    return None if row is None else (row.id, row.password)


def sign_in(tx: Tx, person: Person | None, session: str, user: str, now: int) -> Person:
    """Begin a session for a user whose password was right."""
    row = tx.one("SELECT name, kind FROM users WHERE id = ? AND deleted_at IS NULL", user)
    if row is None:
        raise wrong_sign_in()
    if person is not None:
        end_session(tx, person)
    _begin_session(tx, session, user, now)
    return Person(user, row.name, row.kind, session)


def wrong_sign_in() -> Forbidden:
    return Forbidden("sign-in", "the sign-in name or the password is wrong")


def rename(tx: Tx, person: Person, name: str) -> Person:
    name = checked_name(name)
    tx.execute("UPDATE users SET name = ? WHERE id = ?", name, person.id)
    return Person(person.id, name, person.kind, person.session)


def end_session(tx: Tx, person: Person) -> None:
    """Its sockets are closed by whoever hears the notice."""
    tx.execute("DELETE FROM sessions WHERE id = ?", person.session)
    tx.notify("session", person.session)


def someone(person: Person | None) -> Person:
    if person is None:
        raise NotSignedIn
    return person


def _begin_session(tx: Tx, session: str, user: str, now: int) -> None:
    tx.execute(
        "INSERT INTO sessions (id, user_id, created_at, seen_at, expires_at)"
        " VALUES (?, ?, ?, ?, ?)",
        session,
        user,
        now,
        now,
        now + LASTS,
    )
