"""In which language people are written to, and how they are left alone."""

from __future__ import annotations

import hashlib
import hmac

from openplan.core.sentences import spoken_in
from openplan.server.store import Tx


def language_of(tx: Tx, reader: str, otherwise: str = "en") -> str:
    """Of a person or an address, as far as it is known here."""
    found = tx.row(
        str,
        "SELECT language FROM users WHERE (id = ? OR email = ? OR new_email = ?)"
        " AND deleted_at IS NULL LIMIT 1",
        reader,
        reader,
        reader,
    )
    return spoken_in(otherwise if found is None else found)


def unsubscribe_link(secret: bytes, site: str, user: str) -> str:
    """For as long as the account is there: nobody must have to sign in to be left alone."""
    return f"{site}/unsubscribe/{_unsubscribe_token(secret, user)}"


def unsubscriber(secret: bytes, token: str) -> str | None:
    """Whose such a link is, if it is one of ours."""
    user = token.partition(".")[0]
    known = _unsubscribe_token(secret, user).encode("utf-8", "replace")
    return user if hmac.compare_digest(token.encode("utf-8", "replace"), known) else None


def _unsubscribe_token(secret: bytes, user: str) -> str:
    mark = hmac.new(secret, f"unsubscribe {user}".encode("utf-8", "replace"), hashlib.sha256)
    return f"{user}.{mark.hexdigest()[:32]}"
