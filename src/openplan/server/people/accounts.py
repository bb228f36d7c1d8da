"""Who somebody is: guests kept by a cookie, members who sign in, and the sessions of both.

A session's token is known to the cookie alone; the store has its keyed hash. Signing in makes a
new session and ends the old one, so that a token planted before is worth nothing after.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Final, TypedDict, Unpack

from pwdlib import PasswordHash

from openplan.core.game import Unreadable
from openplan.server.clock import DAY, HOUR
from openplan.server.errors import Forbidden, Missing, NotSignedIn
from openplan.server.people import marks
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.store.rows import USER, SessionRow, UserRow, columns
from openplan.server.texts import TOKEN

LASTS: Final = 180 * DAY
SEEN_EVERY: Final = HOUR
MIN_PASSWORD: Final = 8
MAX_PASSWORD: Final = 200
MAX_EMAIL: Final = 254
_EMAIL: Final = re.compile(
    r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
    r"@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
)

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


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session that is about to begin: the hash of its token, and what the browser is called."""

    id: str
    agent: str = ""
    marks: tuple[str, ...] = ()
    """Of the browser and the address it comes from."""


class UserColumns(TypedDict, total=False):
    """What may change of a row of `users`."""

    kind: str
    name: str
    login: str | None
    email: str | None
    new_email: str | None
    password: str | None
    zone: str
    language: str
    wishes: str
    mail_trouble: str | None
    calendar: str | None
    deleted_at: int


def new_user(tx: Tx, name: str, now: int) -> str:
    """A guest, until they say more."""
    user = new_id()
    tx.execute(
        "INSERT INTO users (id, kind, name, created_at) VALUES (?, 'guest', ?, ?)", user, name, now
    )
    return user


def change_user(tx: Tx, user: str, **columns: Unpack[UserColumns]) -> None:
    tx.change("users", {"id": user}, columns)


def note_name(tx: Tx, user: str, name: str) -> None:
    """What somebody was called until now, to be forgotten with the account."""
    tx.execute(
        "INSERT INTO earlier_names (user_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING", user, name
    )


def earlier_names(tx: Tx, user: str) -> list[str]:
    return tx.rows(str, "SELECT name FROM earlier_names WHERE user_id = ?", user)


def arrives(tx: Tx, user: str) -> None:
    """Somebody has shown that letters reach them."""
    change_user(tx, user, mail_trouble=None)


def new_id(size: int = 16) -> str:
    """Never with a dash first: operators type these, and a command would take it for an option."""
    while (found := secrets.token_urlsafe(size)).startswith("-"):
        pass
    return found


def session_id(secret: bytes, token: str) -> str:
    return hmac.digest(secret, token.encode("utf-8", "replace"), "sha256").hex()


def hash_password(password: str) -> str:
    """Slow on purpose: never on the event loop, never in a transaction."""
    return _HASHER.hash(password)


def is_password(password: str, stored: str | None) -> bool:
    """Slow on purpose, and as slow if there is nothing to compare with."""
    return _HASHER.verify(password, stored or _NOBODYS_HASH) and stored is not None


def checked_login(login: str) -> str:
    login = login.strip().lower()
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{2,39}", login):
        raise refused(Unreadable, "login")
    return login


def checked_password(password: str) -> str:
    if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        raise refused(Unreadable, "password", least=MIN_PASSWORD, most=MAX_PASSWORD)
    return password


def checked_email(email: str) -> str:
    """An address as it is kept, in small letters: nobody's differ in those alone. Only such as can
    stand in a header as they are."""
    email = email.strip().lower()
    if len(email) > MAX_EMAIL or not _EMAIL.fullmatch(email):
        raise refused(Unreadable, "email")
    return email


# -- Sessions --------------------------------------------------------------------------------


def who(tx: Tx, session: str, now: int, seat: str = "", *, writes: bool = False) -> Person | None:
    """Whose session this is. Who `writes` has it noted that it is in use, now and then."""
    found = tx.kept(
        session,
        tuple[str, str, str, int, int],
        "SELECT users.id, users.name, users.kind, sessions.seen_at, sessions.expires_at"
        " FROM sessions JOIN users ON users.id = sessions.user_id"
        " WHERE sessions.id = ? AND users.deleted_at IS NULL",
        session,
    )
    if not found:
        return None
    user, name, kind, seen_at, expires_at = found[0]
    if expires_at <= now:
        return None
    if writes and now > seen_at + SEEN_EVERY:
        tx.execute("UPDATE sessions SET seen_at = ? WHERE id = ?", now, session)
    return Person(user, name, kind, session, seat)


def someone(person: Person | None) -> Person:
    if person is None:
        raise NotSignedIn
    return person


def somebody(tx: Tx, person: str) -> UserRow:
    """Anybody who is here, by their id."""
    row = tx.row(UserRow, USER, person) if TOKEN.fullmatch(person) else None
    if row is None:
        raise Missing
    return row


def begin_session(tx: Tx, session: NewSession, user: str, now: int) -> Person:
    row = tx.row(UserRow, USER, user)
    if row is None:
        raise wrong_sign_in()
    tx.execute(
        "INSERT INTO sessions (id, user_id, created_at, seen_at, expires_at, agent)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        session.id,
        user,
        now,
        now,
        now + LASTS,
        session.agent,
    )
    marks.note(tx, user, session.marks, now)
    return Person(user, row.name, row.kind, session.id)


def end_session(tx: Tx, person: Person) -> None:
    """Its sockets are closed by whoever hears the signal."""
    tx.execute("DELETE FROM sessions WHERE id = ?", person.session)
    tx.signal("session", person.session)


def end_sessions(tx: Tx, user: str, but: str = "") -> int:
    """All of a person's sessions, or all but one; how many."""
    delete = "DELETE FROM sessions WHERE user_id = ? AND id <> ? RETURNING id"
    ended = tx.rows(str, delete, user, but)
    for session in ended:
        tx.signal("session", session)
    return len(ended)


def end_session_named(tx: Tx, person: Person, name: str) -> None:
    """One of one's own, by the name it has in the list of them."""
    for row in own_sessions(tx, person):
        if session_name(row.id) == name:
            end_session(tx, Person(person.id, person.name, person.kind, row.id))
            return
    raise Missing


def own_sessions(tx: Tx, person: Person) -> list[SessionRow]:
    return tx.rows(
        SessionRow,
        f"SELECT {columns(SessionRow)} FROM sessions WHERE user_id = ? ORDER BY seen_at DESC, id",  # noqa: S608
        person.id,
    )


def session_name(session: str) -> str:
    """How a list calls a session: not by what the store finds it by."""
    return hashlib.sha256(session.encode()).hexdigest()[:20]


def sweep(tx: Tx, now: int) -> int:
    """Sessions that are over go, and old marks; how many sessions they were."""
    marks.sweep(tx, now)
    return len(tx.rows(str, "DELETE FROM sessions WHERE expires_at <= ? RETURNING id", now))


def wrong_sign_in() -> Forbidden:
    return refused(Forbidden, "sign-in")
