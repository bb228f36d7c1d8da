"""What reviews add up to: moves to learn from, luck over many matches, two people head to head. How
somebody plays is told to nobody else; here are results, and what the draws of rated matches were
worth."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import UTC, datetime
from math import sqrt
from typing import Final

import msgspec

from openplan.core.registry import game_named
from openplan.server.clock import DAY, SECOND
from openplan.server.people.accounts import Person
from openplan.server.store import Tx

POSITIONS: Final = 5
"""To learn from, of the last week."""
WEEK: Final = 7 * DAY
MOST_MATCHES: Final = 1000


class Mistake(msgspec.Struct, rename={"with_": "with"}):
    """A position of your own, in which another move would have been better."""

    table: str
    entry: int
    """Of the record: the move that was made."""
    game: str
    seat: str
    cost: float
    with_: list[str]
    """Who else sat there."""
    ended: str
    """When the match ended, as ISO 8601 has it."""


class LuckSight(msgspec.Struct):
    """Over so many rated matches, in points a match."""

    matches: int
    margin: float
    adjusted: float
    """The margin without what the draws were worth."""
    error: float | None
    """The standard error of that; of one match there is none."""


class AgainstSight(msgspec.Struct):
    """How two people have ended against each other at a game, as the first sees it."""

    game: str
    played: int
    won: int
    drawn: int
    lost: int
    margin: float
    """In points a match."""
    reviewed: int
    """In so many of them the draws were looked at."""
    adjusted: float | None
    """The margin of those without what the draws were worth."""


def mistakes(tx: Tx, person: Person, now: int) -> list[Mistake]:
    """The worst of the matches that ended in the last seven days."""
    rows = tx.rows(
        tuple[str, int, str, int, float, int],
        "SELECT tables.id, review_mistakes.entry, game, seats.seat, cost, ended_at"
        " FROM review_mistakes"
        " JOIN seats ON seats.table_id = review_mistakes.table_id"
        " AND seats.seat = review_mistakes.seat"
        " JOIN tables ON tables.id = review_mistakes.table_id"
        " WHERE seats.user_id = ? AND tables.state = 'over' AND ended_at > ?"
        " ORDER BY cost DESC, tables.id, review_mistakes.entry LIMIT ?",
        person.id,
        now - WEEK,
        POSITIONS,
    )
    found = []
    for table, entry, game, seat, cost, ended in rows:
        others = "SELECT name FROM seats WHERE table_id = ? AND seat <> ? ORDER BY seat"
        names = tx.rows(str, others, table, seat)
        when = datetime.fromtimestamp(ended // SECOND, UTC).isoformat()
        code = game_named(game).seats[seat]
        found.append(Mistake(table, entry, game, code, round(cost, 4), names, when))
    return found


def luck_of(tx: Tx, person: str) -> dict[str, LuckSight] | None:
    """By game, over rated matches that were looked back on."""
    rows = tx.rows(
        tuple[str, int, int, float, float],
        "SELECT game, COUNT(*), SUM(margin), SUM(adjusted), SUM(adjusted * adjusted) FROM results"
        " JOIN review_seats ON review_seats.table_id = results.table_id"
        " AND review_seats.seat = results.seat"
        " WHERE user_id = ? AND is_rated = 1 GROUP BY game ORDER BY game",
        person,
    )
    found = {}
    for game, count, margin, adjusted, squares in rows:
        mean = adjusted / count
        error = None
        if count > 1:
            error = round(sqrt(max(0.0, squares / count - mean * mean) / (count - 1)), 2)
        found[game] = LuckSight(count, round(margin / count, 2), round(mean, 2), error)
    return found or None


def against(tx: Tx, person: str, other: str, *, all_tables: bool) -> list[AgainstSight]:
    """By game, of matches that are over; of private and casual tables others are told nothing."""
    rows = tx.rows(
        tuple[str, int, int, int, int, str, float | None, float | None],
        "SELECT one.game, one.seat, two.seat, one.place, two.place, tables.result, mine.luck,"
        " theirs.luck FROM results AS one"
        " JOIN results AS two ON two.table_id = one.table_id AND two.user_id = ?"
        " JOIN tables ON tables.id = one.table_id"
        " LEFT JOIN review_seats AS mine ON mine.table_id = one.table_id AND mine.seat = one.seat"
        " LEFT JOIN review_seats AS theirs ON theirs.table_id = two.table_id"
        " AND theirs.seat = two.seat"
        " WHERE one.user_id = ? AND tables.state = 'over'"
        " AND (? = 1 OR tables.is_public = 1 OR one.is_rated = 1)"
        " ORDER BY one.id DESC LIMIT ?",
        other,
        person,
        int(all_tables),
        MOST_MATCHES,
    )
    by_game: defaultdict[str, list[tuple[int, int, float | None]]] = defaultdict(list)
    for game, seat, its, place, rank, result, mine, theirs in rows:
        points = json.loads(result)["points"]
        margin = points[seat] - points[its]
        luck = None if mine is None or theirs is None else mine - theirs
        by_game[game].append((rank - place, margin, luck))
    return [_summed(game, ends) for game, ends in sorted(by_game.items())]


def _summed(game: str, ends: list[tuple[int, int, float | None]]) -> AgainstSight:
    adjusted = [margin - luck for _, margin, luck in ends if luck is not None]
    return AgainstSight(
        game,
        len(ends),
        sum(ahead > 0 for ahead, _, _ in ends),
        sum(ahead == 0 for ahead, _, _ in ends),
        sum(ahead < 0 for ahead, _, _ in ends),
        round(sum(margin for _, margin, _ in ends) / len(ends), 2),
        len(adjusted),
        round(sum(adjusted) / len(adjusted), 2) if adjusted else None,
    )
