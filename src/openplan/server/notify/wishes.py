"""What people want to be told of, by which way, and how soon: for all their tables, or for one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal, get_args

import msgspec

from openplan.server.store import Tx

Pace = Literal["now", "daily", "never"]
"""At once, once a day with all the rest, or not at all."""
Channel = Literal["mail", "push", "hook"]
"""Ways by which the server tells. What an open page tells by itself is `browser`."""
Wish = Literal["turn", "reminder", "end", "message"]


class Wishes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of what one wants to be told, and how soon by each way."""

    turn: bool = True
    """It is my turn, or a new phase has begun."""
    reminder: bool = True
    """My time is running out."""
    end: bool = True
    """A match of mine is over."""
    message: bool = False
    """Somebody has written to me."""
    mail: Pace = "now"
    push: Pace = "now"
    """To browsers that have asked for it, also while no page is open."""
    hook: Pace = "now"
    """To the address that one has named."""
    browser: Literal["now", "never"] = "now"
    """By an open page that nobody looks at."""
    bell: bool = False
    """An open page rings."""


class WishesChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is not given stays as it is."""

    turn: bool | None = None
    reminder: bool | None = None
    end: bool | None = None
    message: bool | None = None
    mail: Pace | None = None
    push: Pace | None = None
    hook: Pace | None = None
    browser: Literal["now", "never"] | None = None
    bell: bool | None = None

    def applied(self, wishes: Wishes) -> Wishes:
        given = msgspec.structs.asdict(self)
        changed = {name: value for name, value in given.items() if value is not None}
        return msgspec.structs.replace(wishes, **changed)


class TableWishes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same for one table; what is not said is as for all."""

    mail: Pace | None = None
    push: Pace | None = None
    hook: Pace | None = None
    browser: Literal["now", "never"] | None = None


_YES_NO: Final[tuple[Any, ...]] = (True, False)
_PACES: Final[tuple[Any, ...]] = get_args(Pace)
_TABLE_KINDS: Final = {"mail": _PACES, "push": _PACES, "hook": _PACES, "browser": ("now", "never")}
_KINDS: Final = {
    **dict.fromkeys((*get_args(Wish), "bell"), _YES_NO),
    **_TABLE_KINDS,
}
"""What each can be."""


def wishes_of(text: str) -> Wishes:
    """Of a row of users; what an older or newer program wrote there is left out."""
    return Wishes(**_known(text, _KINDS))


def table_wishes_of(text: str) -> TableWishes:
    return TableWishes(**_known(text, _TABLE_KINDS))


def _known(text: str, kinds: Mapping[str, tuple[Any, ...]]) -> dict[str, Any]:
    return {
        name: value
        for name, value in json.loads(text).items()
        if isinstance(value, bool | str) and value in kinds.get(name, ())
    }


@lru_cache(maxsize=1_000)
def together(text: str, here: str | None) -> Wishes:
    """What somebody wishes in general, with what they have said of one table."""
    return msgspec.structs.replace(wishes_of(text), **_known(here or "{}", _TABLE_KINDS))


def table_wishes(tx: Tx, user: str, table: str) -> TableWishes:
    find = "SELECT wishes FROM table_wishes WHERE user_id = ? AND table_id = ?"
    return table_wishes_of(tx.row(str, find, user, table) or "{}")


def set_table_wishes(tx: Tx, user: str, table: str, wishes: TableWishes) -> None:
    tx.execute(
        "INSERT INTO table_wishes (user_id, table_id, wishes) VALUES (?, ?, ?)"
        " ON CONFLICT (user_id, table_id) DO UPDATE SET wishes = excluded.wishes",
        user,
        table,
        msgspec.json.encode(wishes).decode(),
    )
