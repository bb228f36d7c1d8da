"""What other programs read by themselves: the deadlines of somebody as a calendar (RFC 5545), and
what happens at a public table as a feed (Atom, RFC 4287)."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import UTC, datetime
from typing import Final
from xml.sax.saxutils import escape

from openplan.core.sentences import Sentences
from openplan.server.clock import SECOND
from openplan.server.errors import DoesNotReplay, Missing
from openplan.server.people.accounts import change_user
from openplan.server.store import Tx
from openplan.server.store.rows import USER, UserRow
from openplan.server.tables import turns, view_model
from openplan.server.tables.access import FoundTable, find, load
from openplan.server.tables.match_cache import MatchCache

MOST: Final = 50
_SENTENCES: Final = Sentences.of("telling")


# -- The address of a calendar ---------------------------------------------------------------


def new_calendar(tx: Tx, secret: bytes, user: str) -> str:
    """A calendar with an address of its own; an older address leads nowhere from now on."""
    change_user(tx, user, calendar=secrets.token_hex(16))
    return calendar_token(tx, secret, user) or ""


def drop_calendar(tx: Tx, user: str) -> None:
    change_user(tx, user, calendar=None)


def calendar_token(tx: Tx, secret: bytes, user: str) -> str | None:
    """What stands in its address. Whoever reads the database cannot make it."""
    made_of = tx.row(str, "SELECT calendar FROM users WHERE id = ? AND deleted_at IS NULL", user)
    if made_of is None:
        return None
    mark = hmac.new(secret, f"calendar {user} {made_of}".encode("utf-8", "replace"), hashlib.sha256)
    return f"{user}.{mark.hexdigest()[:32]}"


def calendar_owner(tx: Tx, secret: bytes, token: str) -> str:
    user = token.partition(".")[0]
    known = calendar_token(tx, secret, user)
    shown = token.encode("utf-8", "replace")
    if known is None or not hmac.compare_digest(shown, known.encode()):
        raise Missing
    return user


# -- A calendar ------------------------------------------------------------------------------


def calendar(tx: Tx, cache: MatchCache, user: str, site: str, host: str, now: int) -> str:
    """All deadlines that somebody is to keep now. An event is known by table and turn, and counts
    how often its deadline moved: so it moves in the reader's calendar too."""
    row = tx.row(UserRow, USER, user)
    if row is None:
        raise Missing
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Open Plan//Deadlines//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_text(_SENTENCES.say('calendar', {}, row.language))}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ]
    for table in tx.rows(
        str,
        "SELECT DISTINCT tables.id FROM tables JOIN seats ON seats.table_id = tables.id"
        " WHERE seats.user_id = ? AND tables.state = 'playing' ORDER BY tables.id LIMIT ?",
        user,
        MOST,
    ):
        here = load(tx, table, user)
        assert here is not None
        lines += _event(tx, cache, here, row.language, site, host, now)
    lines.append("END:VCALENDAR")
    return "".join(f"{folded(line)}\r\n" for line in lines)


def _event(
    tx: Tx, cache: MatchCache, here: FoundTable, language: str, site: str, host: str, now: int
) -> list[str]:
    try:
        with cache.timed(tx, here.row) as timed:
            turn, match = turns.current(tx, here, timed), timed.match
            # With sealed orders it stays until the turn is over: they can be changed until then.
            seats = match.to_act if here.game.sealed else match.awaited
    except DoesNotReplay:
        return []
    mine = [seat for seat in seats.intersection(here.own) if here.seats[seat].bot is None]
    if turn is None or timed.rule.kind not in ("days", "schedule") or not mine:
        return []
    moves = "SELECT moves FROM turns WHERE table_id = ? AND ply = ?"
    since = turn.stretch.began if turn.moved_at is None else turn.moved_at
    link = f"{site}/table/{here.id}"
    known = {"game": here.game.title, "number": turn.stretch.number}
    return [
        "BEGIN:VEVENT",
        f"UID:{here.id}-{turn.stretch.ply}@{host}",
        f"SEQUENCE:{tx.row(int, moves, here.id, turn.stretch.ply) or 0}",
        # Of what is published, when it was made (RFC 5545, 3.8.7.2); and when it last changed.
        f"DTSTAMP:{_utc(now)}",
        f"LAST-MODIFIED:{_utc(since)}",
        f"DTSTART:{_utc(turn.due_at)}",
        f"SUMMARY:{_text(_SENTENCES.say('deadline', known, language))}",
        f"DESCRIPTION:{_text(link)}",
        f"URL:{link}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _utc(at: int) -> str:
    return f"{datetime.fromtimestamp(at // SECOND, UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    """RFC 5545, 3.3.11."""
    for plain, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(plain, written)
    return text


def folded(line: str) -> str:
    """At most 75 bytes in a line, and no character torn apart (RFC 5545, 3.1)."""
    parts, size = [""], 0
    for character in line:
        more = len(character.encode())
        if size + more > 75:
            parts.append(" ")
            size = 1
        parts[-1] += character
        size += more
    return "\r\n".join(parts)


# -- A feed ----------------------------------------------------------------------------------


def feed(tx: Tx, cache: MatchCache, table: str, site: str, language: str) -> str:
    """What happened last at a table that is open to all, as a spectator is told of it."""
    here = find(tx, table, None)
    if not here.options.public or here.row.deal is None:
        raise Missing
    link = f"{site}/table/{here.id}"
    with cache.timed(tx, here.row) as timed:
        match = timed.match
        told = view_model.told(match, None, 0, language)
        if here.game.sealed:  # what causes nothing are orders that were sealed, and when they came
            told = [one for one in told if one.events]
        told = told[-MOST:]
        times = [timed.time_of(match.number_in_log(None, one.number)) for one in told]
    began = here.row.started_at or 0
    latest = times[-1] if times else began
    parts = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">',
        f"<id>{escape(link)}</id>",
        f"<title>{_xml(f'{here.game.title} · Open Plan')}</title>",
        f"<updated>{_rfc3339(latest)}</updated>",
        f'<link href="{escape(link)}"/>',
        f'<link rel="self" href="{escape(f"{link}/feed.atom")}"/>',
        "<author><name>Open Plan</name></author>",
    ]
    for one, at in reversed(list(zip(told, times, strict=True))):
        words = [event["text"] for event in one.events if event.get("text")]
        parts += [
            "<entry>",
            f"<id>{escape(f'{link}#{one.number}')}</id>",
            f"<title>{_xml(one.text)}</title>",
            f"<updated>{_rfc3339(at)}</updated>",
            f'<link href="{escape(f"{link}/at/{one.number}")}"/>',
            f'<content type="text">{_xml(" ".join(words) or one.text)}</content>',
            "</entry>",
        ]
    return "\n".join([*parts, "</feed>", ""])


def _xml(text: str) -> str:
    """Without what XML cannot hold (XML 1.0, 2.2)."""
    return escape(
        "".join(
            character
            for character in text
            if character in "\t\n"
            or " " <= character <= "\ud7ff"
            or "\ue000" <= character <= "\ufffd"
            or character > "\uffff"
        )
    )


def _rfc3339(at: int) -> str:
    return f"{datetime.fromtimestamp(at // SECOND, UTC):%Y-%m-%dT%H:%M:%SZ}"
