"""Where people want to be told beside their mailbox: browsers that take pushes, and hooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import Final, Literal

import msgspec

from openplan.core.game import Illegal, Unreadable
from openplan.server.notify.outgoing import NotAllowed, Outgoing
from openplan.server.refusals import refused
from openplan.server.store import Tx

HookKind = Literal["json", "discord", "slack", "matrix"]
MOST_PUSHES: Final = 10
"""Browsers of one person; who adds one more loses the oldest."""


class PushRow(msgspec.Struct, frozen=True, gc=False):
    id: str
    user_id: str
    endpoint: str
    key: str
    auth: str
    agent: str
    created_at: int


class HookRow(msgspec.Struct, frozen=True, gc=False):
    """`secret` is what a Matrix server asks for; the one of plain JSON is made when it is used."""

    id: str
    user_id: str
    table_id: str | None
    kind: str
    address: str
    secret: str
    trouble: str | None
    created_at: int


_PUSH: Final = "SELECT id, user_id, endpoint, key, auth, agent, created_at FROM pushes"
_HOOK: Final = "SELECT id, user_id, table_id, kind, address, secret, trouble, created_at FROM hooks"


# -- Browsers --------------------------------------------------------------------------------


def add_push(
    tx: Tx, user: str, endpoint: str, key: str, auth: str, agent: str, allowed: Outgoing, now: int
) -> PushRow:
    """A browser has subscribed, for the person who is signed in there: for nobody else any more."""
    _checked(allowed, endpoint)
    if (
        len(_bytes(key)) != 65
        or _bytes(key)[0] != 4
        or len(_bytes(auth)) != 16
        or not is_on_curve(_bytes(key))
    ):
        raise refused(Unreadable, "push-key")
    ident = hashlib.sha256(endpoint.encode()).hexdigest()[:32]
    tx.execute("DELETE FROM pushes WHERE id = ?", ident)
    tx.execute(
        "INSERT INTO pushes (id, user_id, endpoint, key, auth, agent, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        ident,
        user,
        endpoint,
        key,
        auth,
        agent,
        now,
    )
    for old in pushes_of(tx, user)[MOST_PUSHES:]:
        drop_push(tx, old.id)
    return PushRow(ident, user, endpoint, key, auth, agent, now)


def is_on_curve(point: bytes) -> bool:
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return False
    return True


def _bytes(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        raise refused(Unreadable, "push-key") from None


def pushes_of(tx: Tx, user: str) -> list[PushRow]:
    """The newest first."""
    return tx.rows(PushRow, _PUSH + " WHERE user_id = ? ORDER BY created_at DESC, id", user)


def push(tx: Tx, ident: str) -> PushRow | None:
    return tx.row(PushRow, _PUSH + " WHERE id = ?", ident)


def drop_push(tx: Tx, ident: str) -> None:
    tx.execute("DELETE FROM pushes WHERE id = ?", ident)


# -- Hooks -----------------------------------------------------------------------------------


def set_hook(
    tx: Tx,
    user: str,
    table: str | None,
    kind: HookKind,
    address: str,
    secret: str,
    allowed: Outgoing,
    now: int,
) -> None:
    """The one hook of a person, or of a table."""
    _checked(allowed, address)
    if kind == "matrix" and "/_matrix/client/" not in address:
        raise refused(Illegal, "hook-matrix")
    drop_hook(tx, user, table)
    tx.execute(
        "INSERT INTO hooks (id, user_id, table_id, kind, address, secret, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        secrets.token_urlsafe(16),
        user,
        table,
        kind,
        address,
        secret if kind == "matrix" else "",
        now,
    )


def drop_hook(tx: Tx, user: str, table: str | None) -> None:
    if table is None:
        tx.execute("DELETE FROM hooks WHERE user_id = ? AND table_id IS NULL", user)
    else:
        tx.execute("DELETE FROM hooks WHERE table_id = ?", table)


def hook_of(tx: Tx, user: str, table: str | None) -> HookRow | None:
    if table is None:
        return tx.row(HookRow, _HOOK + " WHERE user_id = ? AND table_id IS NULL LIMIT 1", user)
    return tx.row(HookRow, _HOOK + " WHERE table_id = ? LIMIT 1", table)


def hook(tx: Tx, ident: str) -> HookRow | None:
    return tx.row(HookRow, _HOOK + " WHERE id = ?", ident)


def note_trouble(tx: Tx, ident: str, trouble: str | None) -> None:
    tx.change("hooks", {"id": ident}, {"trouble": trouble})


def signing_key(secret: bytes, hook: str) -> bytes:
    """With which plain JSON is signed. It is not in the database."""
    return hmac.new(secret, f"hook {hook}".encode(), hashlib.sha256).digest()


def _checked(allowed: Outgoing, address: str) -> None:
    try:
        allowed.read(address)
    except NotAllowed as why:
        raise refused(Illegal, "outgoing", str(why)) from None
