"""What a push or a hook says: from what its reader may know, and nothing of the cards."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from openplan.core.match import Match
from openplan.core.sentences import Sentences
from openplan.mail.outbound.letter import Letter, Plain, Words
from openplan.mail.outbound.table_letters import when
from openplan.server.errors import DoesNotReplay
from openplan.server.notify import addresses
from openplan.server.notify.mail_preferences import language_of
from openplan.server.notify.tellings import Telling
from openplan.server.store import Tx
from openplan.server.tables.access import FoundTable, load, table_name
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.waiting import Waiting, waiting_for

_SENTENCES: Final = Sentences.of("telling")


class Said(msgspec.Struct, frozen=True):
    """In the reader's language."""

    what: str
    title: str
    text: str
    link: str
    table: str = ""
    due: int | None = None
    lines: tuple[str, ...] = ()
    """Of a digest, one for each thing that it tells."""

    @property
    def whole(self) -> str:
        return "\n".join(part for part in (f"{self.title}: {self.text}", *self.lines) if part)


class ToldPerson(msgspec.Struct, frozen=True):
    language: str
    zone: str


def reader_of(tx: Tx, user: str) -> ToldPerson | None:
    find = "SELECT language, zone FROM users WHERE id = ? AND deleted_at IS NULL"
    return tx.row(ToldPerson, find, user)


def words(tx: Tx, cache: MatchCache, site: str, telling: Telling) -> Said | None:
    """What is to be said; nothing if it is of no use any more."""
    if not telling.to:
        return _of_table(tx, cache, site, telling)
    reader = reader_of(tx, telling.to)
    if reader is None:
        return None
    if telling.what == "digest":
        return _digest(tx, cache, site, telling, reader)
    if telling.what == "test":
        return Said("test", *_say(reader.language, "test"), f"{site}/account")
    here = load(tx, telling.table, telling.to)
    if here is None or (telling.what == "turn" and not _is_awaited(tx, cache, here)):
        return None
    what = telling.what
    known = _known(tx, here)
    title, text = _say(reader.language, what, **known)
    due = telling.due if what in ("turn", "reminder", "moved", "resumed") else None
    if due is not None:
        text = f"{text} {_SENTENCES.say('due', {'due': when(due, reader.zone)}, reader.language)}"
    return Said(what, title, text, f"{site}/table/{here.id}", here.id, due)


def _say(language: str, what: str, **known: object) -> tuple[str, str]:
    return (
        _SENTENCES.say(f"{what}-title", known, language),
        _SENTENCES.say(f"{what}-text", known, language),
    )


def _known(tx: Tx, here: FoundTable) -> dict[str, Any]:
    return {"game": here.game.title, "name": table_name(tx, here.id)}


def _is_awaited(tx: Tx, cache: MatchCache, here: FoundTable) -> bool:
    """Whoever has moved meanwhile need not be told that it is their turn."""
    if here.row.state != "playing":
        return False
    try:
        with cache.timed(tx, here.row) as timed:
            return not timed.match.awaited.isdisjoint(here.own)
    except DoesNotReplay:
        return False


def _of_table(tx: Tx, cache: MatchCache, site: str, telling: Telling) -> Said | None:
    """For a table's own hook, as a spectator would be told then, in the language of who set it."""
    here = load(tx, telling.table, None)
    if here is None or here.row.deal is None:
        return None
    with cache.timed(tx, here.row) as timed:
        match = timed.match.at(telling.ply)
    known = _known(tx, here)
    what = "table-begun" if telling.what == "table-begun" else "table-turn"
    if match.outcome is not None:
        known["winners"] = ", ".join(match.names[seat] for seat in match.outcome.winners)
        what = "table-over" if known["winners"] else "table-end"
    elif what == "table-turn" and _mover(match):
        what, known["who"] = "table-mover", _mover(match)
    hook = addresses.hook(tx, telling.address)
    language = "en" if hook is None else language_of(tx, hook.user_id)
    title, text = _say(language, what, **known)
    return Said(telling.what, title, text, f"{site}/table/{here.id}", here.id)


def _mover(match: Match) -> str:
    """Who is to move, where everybody sees who has."""
    if match.game.sealed or match.outcome is not None:
        return ""
    return ", ".join(match.names[seat] for seat in sorted(match.awaited))


def _digest(
    tx: Tx, cache: MatchCache, site: str, telling: Telling, reader: ToldPerson
) -> Said | None:
    """The games that wait, and what else has happened since the day before."""
    language = reader.language
    waiting = waiting_for(tx, cache, telling.to)
    lines = [_line(tx, one, reader) for one in waiting]
    for what, table in telling.news:
        here = load(tx, table, telling.to)
        if here is not None and what in ("end", "message", "moved", "paused", "resumed", "news"):
            title, text = _say(language, what, **_known(tx, here))
            lines.append(f"{title}: {text}")
    if not lines:
        return None
    known = {"count": len(waiting)}
    title = _SENTENCES.say("digest-title", known, language)
    code = "digest-one" if len(waiting) == 1 else "digest-many"
    text = _SENTENCES.say(code, known, language)
    return Said("digest", title, text, f"{site}/", lines=tuple(lines))


def _line(tx: Tx, one: Waiting, reader: ToldPerson) -> str:
    known: dict[str, object] = {"game": one.title, "name": table_name(tx, one.table)}
    title, text = _say(reader.language, "turn", **known)
    line = f"{title}: {text}"
    if one.due_at is not None:
        due = {"due": when(one.due_at, reader.zone)}
        line = f"{line} {_SENTENCES.say('due', due, reader.language)}"
    return line


def as_letter(said: Said) -> Letter:
    """The daily news by mail."""
    lines = "\n".join(f"- {line}" for line in said.lines)
    return Letter("digest", said.title, [Words(said.text), Words(lines), Plain(said.link)])
