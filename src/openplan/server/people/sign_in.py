"""The ways in: as a guest, by signing up, by a password, by a link sent by mail.

Whoever comes in gets a new session and the old one ends, so that a token planted before is worth
nothing after. Whether an address is known here is told to its owner alone, by letter: to whoever
asks, both cases are answered alike and make the same work.

An address counts when it is confirmed, by somebody who has both the letter and the account. So
nobody can make an account with another's address and wait for its owner to move in: whoever signed
up with an address alone stays a guest until then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from openplan.core.game import Illegal, Unreadable
from openplan.server.errors import Forbidden
from openplan.server.notify.letters import AccountKind, AccountLetter, post
from openplan.server.notify.wishes import Wishes
from openplan.server.people import accounts, one_time_links
from openplan.server.people.accounts import (
    NewSession,
    Person,
    arrives,
    change_user,
    new_id,
    new_user,
)
from openplan.server.people.names import chosen_name
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.store.rows import USER, UserRow


@dataclass(frozen=True, slots=True)
class Account:
    """What one signs up with, checked. The password is hashed."""

    login: str | None
    email: str | None
    password: str
    name: str


def checked_account(login: str, email: str, name: str) -> Account:
    """Without its password, which takes long to hash."""
    if not login and not email:
        raise refused(Unreadable, "login", "login-needed")
    return Account(
        accounts.checked_login(login) if login else None,
        accounts.checked_email(email) if email else None,
        "",
        chosen_name(name),
    )


def become_guest(tx: Tx, session: NewSession, name: str, now: int) -> Person:
    user = new_user(tx, chosen_name(name), now)
    return accounts.begin_session(tx, session, user, now)


def sign_up(tx: Tx, person: Person | None, session: NewSession, wish: Account, now: int) -> Person:
    """A new member; a guest becomes the member and keeps all games. With an address alone it is a
    guest until the address is confirmed."""
    if wish.login and tx.row(int, "SELECT 1 FROM users WHERE login = ?", wish.login):
        raise refused(Illegal, "login-taken")
    if person is not None and person.kind == "guest":
        user = person.id
        accounts.end_sessions(tx, user)
    else:
        user = new_user(tx, wish.name, now)
        if person is not None:
            accounts.end_session(tx, person)
    if person is not None and person.id == user:
        accounts.note_name(tx, user, person.name)
    change_user(
        tx,
        user,
        kind="member" if wish.login else "guest",
        login=wish.login,
        password=wish.password,
        name=wish.name,
    )
    if wish.email:
        ask_to_confirm(tx, user, wish.email, now)
    return accounts.begin_session(tx, session, user, now)


def credentials(tx: Tx, login: str) -> tuple[str, str | None] | None:
    """Whose this sign-in name or address is, and the hash of the password."""
    column = "email" if "@" in login else "login"
    find = f"SELECT id, password FROM users WHERE {column} = ? AND deleted_at IS NULL"  # noqa: S608 - one of two
    return tx.row(tuple[str, str | None], find, login)


def sign_in(tx: Tx, person: Person | None, session: NewSession, user: str, now: int) -> Person:
    """A session for somebody who has shown who they are."""
    if person is not None:
        accounts.end_session(tx, person)
    return accounts.begin_session(tx, session, user, now)


# -- By mail ---------------------------------------------------------------------------------


def send_link(tx: Tx, kind: Literal["sign-in", "reset"], email: str, now: int) -> None:
    """A letter goes to the address in any case, and tells there what is to be told."""
    _send(tx, kind, "no-account", email, _owner(tx, email), now)


def sign_in_by_link(
    tx: Tx, secret: bytes, person: Person | None, session: NewSession, token: str, now: int
) -> Person:
    ticket = one_time_links.use(tx, secret, token, "sign-in", now)
    arrives(tx, ticket.user_id)
    return sign_in(tx, person, session, ticket.user_id, now)


def reset_password(
    tx: Tx,
    secret: bytes,
    person: Person | None,
    session: NewSession,
    token: str,
    password: str,
    now: int,
) -> Person:
    """A new password (its hash) for whoever has the letter; everybody else is signed out."""
    ticket = one_time_links.use(tx, secret, token, "reset", now)
    arrives(tx, ticket.user_id)
    set_password(tx, ticket.user_id, password, now)
    return sign_in(tx, person, session, ticket.user_id, now)


def change_password(tx: Tx, person: Person, session: NewSession, password: str, now: int) -> Person:
    """The old one was checked before. Here too a new session, and none beside it."""
    set_password(tx, person.id, password, now)
    return accounts.begin_session(tx, session, person.id, now)


def set_password(tx: Tx, user: str, password: str, now: int) -> None:
    change_user(tx, user, password=password)
    accounts.end_sessions(tx, user)
    one_time_links.void(tx, user, now)
    post(tx, AccountLetter(to=user, at=now, kind="password-changed"))


def ask_to_confirm(tx: Tx, user: str, email: str, now: int, *, reply_to: str = "") -> None:
    """The address is taken into use when its owner says so, on the site or by a reply."""
    change_user(tx, user, new_email=email)
    owner = None if _owner(tx, email) else user
    _send(tx, "confirm", "address-taken", email, owner, now, reply_to=reply_to)


def confirm_email(tx: Tx, secret: bytes, token: str, now: int) -> str:
    """The address is that of the account from now on; whose account it is. The caller has seen to
    it that this is asked by somebody who has the account too."""
    ticket = one_time_links.use(tx, secret, token, "confirm", now)
    user = accounts_row(tx, ticket.user_id)
    if user.new_email != ticket.email:
        raise one_time_links.dead()
    return _take_address(tx, user, ticket.email, now)


def confirm_by_mail(tx: Tx, user: str, now: int) -> str:
    """The same, by a reply from the new address with the token that was sent there."""
    row = accounts_row(tx, user)
    if row.new_email is None:
        raise refused(Illegal, "no-new-address")
    return _take_address(tx, row, row.new_email, now)


def _take_address(tx: Tx, user: UserRow, email: str, now: int) -> str:
    if _owner(tx, email) is not None:
        raise refused(Illegal, "email-taken")
    if user.email:
        # Links that went to the old address must not outlive it.
        one_time_links.void(tx, user.id, now)
        post(tx, AccountLetter(to=user.email, at=now, kind="address-changed"))
    change_user(tx, user.id, email=email, new_email=None, mail_trouble=None, kind="member")
    return user.id


def accounts_row(tx: Tx, user: str) -> UserRow:
    row = tx.row(UserRow, USER, user)
    if row is None:
        raise refused(Forbidden, "account")
    return row


def _send(
    tx: Tx,
    kind: Literal["sign-in", "reset", "confirm"],
    otherwise: AccountKind,
    email: str,
    user: str | None,
    now: int,
    *,
    reply_to: str = "",
) -> None:
    if one_time_links.is_too_many(tx, email, now):
        return
    ticket = new_id()
    until = one_time_links.issue(tx, ticket, kind, email, user, now)
    what: AccountKind = kind if user is not None else otherwise
    post(
        tx,
        AccountLetter(
            to=email,
            at=now,
            kind=what,
            until=until,
            ticket=ticket,
            reply_to=reply_to if user is not None else "",
        ),
    )


def _owner(tx: Tx, email: str) -> str | None:
    return tx.row(str, "SELECT id FROM users WHERE email = ? AND deleted_at IS NULL", email)


def member_by_mail(tx: Tx, email: str, language: str, now: int) -> Person:
    """A new member, who has answered a letter to this address and has no password."""
    try:
        name = chosen_name(email.partition("@")[0][:40])
    except Illegal:
        name = "Guest"
    user = new_user(tx, name, now)
    # Whoever has nothing but mail is sent all of it.
    wishes = msgspec.json.encode(Wishes(message=True)).decode()
    change_user(tx, user, kind="member", email=email, language=language, wishes=wishes)
    return Person(user, name, "member", "")
