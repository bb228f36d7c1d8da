"""Live matches kept in memory, checked by ply against the store, caught up or replayed from it.

A transaction borrows a match, changes it and gives it back; if the transaction does not come to
its commit, the match is forgotten. Works that only read have a cache of their own, in
which no match is ever ahead of what is committed.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import replace
from functools import lru_cache
from typing import Final

import structlog

from openplan.core.deck import Deck, DeckError
from openplan.core.game import AnyGame, GameError
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import load_deck, shipped, shipped_text
from openplan.server.errors import DoesNotReplay
from openplan.server.store import Tx
from openplan.server.store.rows import EntryRow, LoadedTable
from openplan.server.tables import deck_texts
from openplan.server.tables.options import options_of
from openplan.server.tables.snapshots import entries_of, entry_of, resumed
from openplan.server.tables.timed_match import Outage, TimedMatch

KEPT: Final = 2000
DECKS_KEPT: Final = 5000

DECKS_OF_ONE: Final = 50


class DecksRead:
    """Decks by table: what is once read stays true, and says nothing of another's table. Who makes
    many tables pushes out their own and nobody else's, but where there are too many makers."""

    def __init__(self, kept: int = DECKS_KEPT, of_one: int = DECKS_OF_ONE) -> None:
        self._kept = kept
        self._of_one = of_one
        self._lock = threading.Lock()
        self._by_maker: OrderedDict[str, OrderedDict[str, Deck]] = OrderedDict()

    def get(self, row: LoadedTable) -> Deck | None:
        with self._lock:
            own = self._by_maker.get(row.owner_id or "", OrderedDict())
            deck = own.get(row.id)
            if deck is not None:
                own.move_to_end(row.id)
            return deck

    def keep(self, row: LoadedTable, deck: Deck) -> None:
        with self._lock:
            own = self._by_maker.setdefault(row.owner_id or "", OrderedDict())
            own[row.id] = deck
            while len(own) > self._of_one:
                own.popitem(last=False)
            while sum(map(len, self._by_maker.values())) > self._kept:
                most = max(self._by_maker.values(), key=len)
                most.popitem(last=False)


_DECKS: Final = DecksRead()


log = structlog.get_logger()


class MatchCache:
    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._lock = threading.Lock()
        self._matches: OrderedDict[str, TimedMatch] = OrderedDict()
        self._lent: dict[str, int] = {}
        self._stale: set[str] = set()

    def timed(self, tx: Tx, row: LoadedTable) -> Borrowed:
        """The match of a row of `tables` that has begun; nobody else has it meanwhile."""
        return Borrowed(self, tx, row)

    def borrow(self, tx: Tx, row: LoadedTable) -> TimedMatch:
        with self._lock:
            found = self._matches.pop(row.id, None)
            self._lent[row.id] = self._lent.get(row.id, 0) + 1
        try:
            return self._caught_up(tx, row, found)
        except BaseException:
            self._returned(row.id)
            raise

    def end(
        self, tx: Tx, table: str, timed: TimedMatch, ply: int, error: BaseException | None
    ) -> None:
        """It comes back from who has borrowed it when it was so long."""
        is_same = timed.match.ply == ply
        if error is None and not is_same:
            tx.on_rollback(lambda: self.forget(table))
        # Refused, so nothing has changed: an illegal move must not cost a replay.
        if error is None or (isinstance(error, GameError) and is_same):
            self._keep(table, timed)
        self._returned(table)

    def _returned(self, table: str) -> None:
        with self._lock:
            self._lent[table] -= 1
            if self._lent[table] < 1:
                del self._lent[table]
                if table in self._stale:  # it was to be forgotten while somebody had it
                    self._stale.discard(table)
                    self._matches.pop(table, None)

    def _caught_up(self, tx: Tx, row: LoadedTable, timed: TimedMatch | None) -> TimedMatch:
        """The match as it is stored, from what is there of it."""
        if timed is not None and not _is_of(timed, row):
            timed = None
        if timed is not None and timed.match.ply == row.ply:
            return timed
        try:
            # What is read here may be this transaction's own doing, and come to nothing.
            tx.on_rollback(lambda: self.forget(row.id))
            if timed is None:
                timed, tail = _loaded(tx, row)
            else:
                tail = _tail(tx, row, timed.match.ply)
            for entry in tail:
                timed.repeat(entry_of(entry), entry.at)
        except (GameError, DeckError, ValueError) as error:
            log.warning("a match does not replay", table=row.id, exc_info=error)
            raise DoesNotReplay(row.id) from error
        return timed

    def has(self, table: str) -> bool:
        with self._lock:
            return table in self._matches

    def _keep(self, table: str, timed: TimedMatch) -> None:
        with self._lock:
            self._matches[table] = timed
            while len(self._matches) > self._kept:
                self._matches.popitem(last=False)

    def forget(self, table: str) -> None:
        with self._lock:
            self._matches.pop(table, None)
            if table in self._lent:
                self._stale.add(table)


class Borrowed:
    """A match in somebody's hands, for a `with`."""

    __slots__ = ("_cache", "_ply", "_row", "_timed", "_tx")

    def __init__(self, cache: MatchCache, tx: Tx, row: LoadedTable) -> None:
        self._cache = cache
        self._tx = tx
        self._row = row

    def __enter__(self) -> TimedMatch:
        self._timed = self._cache.borrow(self._tx, self._row)
        self._ply = self._timed.match.ply
        return self._timed

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._cache.end(self._tx, self._row.id, self._timed, self._ply, error)


def _is_of(timed: TimedMatch, row: LoadedTable) -> bool:
    """Whether it can be what the store has. A begin that was rolled back dealt other cards."""
    match = timed.match
    is_same: bool = match.commitment == row.commitment and timed.known == row.outages
    # Somebody who began it may have been forgotten since.
    is_same = is_same and match.first_names == _names(row.first_names)
    return is_same and match.ply <= row.ply


@lru_cache(maxsize=KEPT)
def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(json.loads(text))


def _tail(tx: Tx, row: LoadedTable, ply: int) -> list[EntryRow]:
    return [] if ply == row.ply else entries_of(tx, row.id, ply)


def _loaded(tx: Tx, row: LoadedTable) -> tuple[TimedMatch, list[EntryRow]]:
    """A match by its snapshot, and the entries that came after that."""
    timed, tail = _first(tx, row), _tail(tx, row, 0)
    done = resumed(tx, row, timed, tail)
    if done < 0:  # it may be half changed
        return _first(tx, row), tail
    return timed, tail[done:]


def _first(tx: Tx, row: LoadedTable) -> TimedMatch:
    game, deck = game_named(row.game), deck_of(tx, row)
    if not game.oldest_rules <= row.rules_version <= game.rules_version:
        # While a release is rolled out, old programs meet matches that new ones have begun.
        raise ValueError("the match is frozen to rules that this program does not have")
    if deck.hash != row.deck_hash:
        raise ValueError("the deck is another than the one the match began with")
    if row.deal is None or row.salt is None or row.first_names is None or row.started_at is None:
        raise ValueError("the match has not begun")
    options = options_of(tx, row.id, row.options)
    match = Match.from_deal(
        game,
        deck,
        options.house,
        json.loads(row.deal),
        row.salt,
        added=None if row.chance is None else json.loads(row.chance),
        names=json.loads(row.first_names),
        commitment=row.commitment,
        rules=row.rules_version,
    )
    return TimedMatch(match, options.clock, row.started_at, _outages(tx, row), row.outages)


def _outages(tx: Tx, row: LoadedTable) -> list[Outage]:
    if not row.outages:
        return []
    found = tx.rows(
        tuple[int, int],
        "SELECT from_at, to_at FROM outages WHERE to_at > ? AND (table_id IS NULL OR table_id = ?)"
        " ORDER BY from_at",
        row.started_at,
        row.id,
    )
    return [Outage(*one) for one in found]


def deck_of(tx: Tx, row: LoadedTable) -> Deck:
    """The deck of a table, as its text says; the name is what it was called then."""
    deck = _DECKS.get(row)
    if deck is None:
        game, text = game_named(row.game), deck_texts.at_table(tx, row.id)
        deck = _shipped(game, text) or game.read_deck(text, "deck")
        _DECKS.keep(row, deck)
    return replace(deck, name=row.deck_name)


@lru_cache(maxsize=16)
def _shipped(game: AnyGame, text: str) -> Deck | None:
    """One that comes with the game is there once."""
    for name in shipped(game):
        if text == shipped_text(game, name):
            return load_deck(game, name)
    return None
