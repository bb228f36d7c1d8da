"""The queue of pushes and hooks, beside that of letters: each joins it in the transaction of what
it tells and is sent after that, by `telling`.

What waits says which table, what, and for whom. Its words are made when it is sent, from what its
reader may know. After a crash it may be sent twice, under the same name.
"""

from __future__ import annotations

import json
import secrets
from datetime import datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

import msgspec

from openplan.server.clock import DAY, SECOND
from openplan.server.notify import presence
from openplan.server.notify.wishes import Channel, Pace, Wish, together
from openplan.server.store import Tx, jobs
from openplan.server.store.jobs import Job

What = Literal[
    "turn", "news", "reminder", "late", "end", "message", "moved", "paused", "resumed",
    "digest", "test",
    "table-begun", "table-turn", "table-over",
]  # fmt: skip
"""The last are told of a table to whoever looks at its own hook, as to a spectator."""
USEFUL_FOR: Final = DAY
DIGEST_HOUR: Final = 8
"""When the daily news come, by the reader's own clock."""
MOST_NEWS: Final = 50


class Telling(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing to be told by one way. `address` is the row of the push or hook that it goes to;
    daily news go to all that their reader has then."""

    what: What
    channel: Channel
    at: int
    to: str = ""
    """A person; nobody for a table's own hook."""
    address: str = ""
    table: str = ""
    ply: int = 0
    due: int | None = None
    news: list[tuple[str, str]] = []
    """Of a digest: what, at which table."""


_READER: Final = msgspec.json.Decoder(Telling)


def telling_of(job: Job) -> Telling:
    return _READER.decode(msgspec.json.encode(job.payload))


def post(tx: Tx, telling: Telling) -> None:
    jobs.add(tx, "telling", secrets.token_hex(16), msgspec.to_builtins(telling), now=telling.at)
    tx.signal("telling", "")


class _Reader(msgspec.Struct, frozen=True, gc=False):
    wishes: str
    email: str | None
    here: str | None
    until_at: int | None
    pushes: int
    hooks: int


_READER_OF: Final = (
    "SELECT wishes, email,"
    " (SELECT wishes FROM table_wishes WHERE user_id = users.id AND table_id = ?) AS here,"
    " (SELECT until_at FROM presence WHERE user_id = users.id AND table_id = ?) AS until_at,"
    " (SELECT COUNT(*) FROM pushes WHERE user_id = users.id) AS pushes,"
    " (SELECT COUNT(*) FROM hooks WHERE user_id = users.id AND table_id IS NULL) AS hooks"
    " FROM users WHERE id = ? AND deleted_at IS NULL"
)


class Reached(msgspec.Struct, frozen=True):
    letter: bool
    """A letter is wanted at once."""
    email: bool
    """There is an address for it."""


UNREACHED: Final = Reached(False, False)


def reach(
    tx: Tx,
    user: str,
    table: str,
    what: What,
    wish: Wish | None,
    now: int,
    *,
    ply: int = 0,
    due: int | None = None,
) -> Reached:
    """Tell somebody of something at a table by push and hook, as they wish; whether they want a
    letter of it at once. Who is at the table sees it. Without a `wish` it is about one's own seat:
    of that a letter is always sent."""
    found = tx.kept(table, _Reader, _READER_OF, table, table, user)
    if not found:
        return UNREACHED
    (reader,) = found
    wishes = together(reader.wishes, reader.here)
    if wish is not None and not getattr(wishes, wish):
        return UNREACHED
    if wish is not None and presence.is_here(reader.until_at, now):
        return UNREACHED
    told = Telling(what=what, channel="push", at=now, to=user, table=table, ply=ply, due=due)
    ways: tuple[tuple[Channel, Pace, int], ...] = (
        ("push", wishes.push, reader.pushes),
        ("hook", wishes.hook, reader.hooks),
    )
    for channel, pace, number in ways:
        if not number:
            continue
        if pace == "now":
            for address in addresses(tx, user, channel):
                post(tx, msgspec.structs.replace(told, channel=channel, address=address))
        elif pace == "daily":
            _add_to_digest(tx, user, channel, what, table, now)
    if wish is not None and wishes.mail == "daily" and reader.email is not None:
        _add_to_digest(tx, user, "mail", what, table, now)
    return Reached(wish is None or wishes.mail == "now", reader.email is not None)


def addresses(tx: Tx, user: str, channel: Channel) -> list[str]:
    """Where somebody can be told by this way."""
    if channel == "push":
        return tx.rows(str, "SELECT id FROM pushes WHERE user_id = ? ORDER BY id", user)
    mine = "SELECT id FROM hooks WHERE user_id = ? AND table_id IS NULL ORDER BY id"
    return tx.rows(str, mine, user)


def tell_hook(tx: Tx, table: str, what: What, now: int, *, ply: int) -> None:
    """The table's own hook, if it has one."""
    for address in tx.kept(table, str, "SELECT id FROM hooks WHERE table_id = ?", table):
        post(tx, Telling(what=what, channel="hook", at=now, address=address, table=table, ply=ply))


def _add_to_digest(tx: Tx, user: str, channel: Channel, what: str, table: str, now: int) -> None:
    """With the daily news: there is one such job for each way, until somebody takes it up."""
    ident = f"{channel} {user}"
    find = (
        "SELECT id, payload FROM outbox WHERE kind = 'telling' AND ident = ? AND tries = 0"
        " ORDER BY id LIMIT 1"
    )
    found = tx.row(tuple[int, str], find, ident)
    news = [] if found is None else [tuple(one) for one in json.loads(found[1])["news"]]
    if (what, table) in news or len(news) >= MOST_NEWS:
        return
    news.append((what, table))
    digest = Telling(what="digest", channel=channel, at=now, to=user, news=news)
    payload = msgspec.to_builtins(digest)
    if found is not None:
        jobs.rewrite(tx, found[0], payload)
        return
    zone = tx.row(str, "SELECT zone FROM users WHERE id = ?", user) or "UTC"
    jobs.add(tx, "telling", ident, payload, now=now, due_at=next_digest(now, zone))


def next_digest(now: int, zone: str) -> int:
    """The next morning by the reader's clock."""
    local = datetime.fromtimestamp(now / SECOND, ZoneInfo(zone))
    morning = local.replace(hour=DIGEST_HOUR, minute=0, second=0, microsecond=0)
    if morning <= local:
        morning = (local.replace(tzinfo=None) + timedelta(days=1)).replace(
            hour=DIGEST_HOUR, minute=0, second=0, microsecond=0, tzinfo=ZoneInfo(zone)
        )
    return int(morning.timestamp()) * SECOND


def take_back(tx: Tx, *to: str) -> None:
    """What has not gone to these people yet does not go any more."""
    for number, payload in tx.rows(
        tuple[int, str], "SELECT id, payload FROM outbox WHERE kind = 'telling'"
    ):
        if json.loads(payload).get("to") in to:
            jobs.drop(tx, number)
