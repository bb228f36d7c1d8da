"""Having bots play with a deck to see how it does: what was asked for, how far it is, and what was
found. Who plays is `ops.deck_trials`."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from openplan.core.game import Illegal
from openplan.server.errors import Missing
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx, jobs
from openplan.server.tables import workshop

GAMES: Final = 300


class Trial(msgspec.Struct, frozen=True):
    """A trial that is to be played, or is being played."""

    deck: str
    game: str
    text: str
    games: int
    at: int


class TrialSight(msgspec.Struct, frozen=True):
    state: str
    """waiting, running, done, stopped or failed."""
    games: int
    played: int
    at: int
    is_current: bool
    """Whether the deck is still what it was then."""
    result: dict[str, Any] | None
    """What was found: see `openplan balance`, with `advice` for each card."""


def begin(tx: Tx, person: Person, deck: str, now: int) -> None:
    """Bots will play with this deck when they have nothing else to do. One at a time for each
    person."""
    row = workshop.find_own(tx, person, deck)
    if row.faults:
        raise refused(Illegal, "deck-faulty")
    running = tx.rows(
        str,
        "SELECT deck_id FROM deck_trials WHERE user_id = ? AND state IN ('waiting', 'running')",
        person.id,
    )
    if running:
        raise refused(Illegal, "trial-running")
    tx.execute("DELETE FROM deck_trials WHERE deck_id = ?", deck)
    tx.execute(
        "INSERT INTO deck_trials (deck_id, user_id, text, state, games, at)"
        " VALUES (?, ?, ?, 'waiting', ?, ?)",
        deck,
        person.id,
        row.text,
        GAMES,
        now,
    )
    jobs.add(tx, "trial", deck, {"at": now}, now=now)
    tx.signal("bot", "")


def stop(tx: Tx, person: Person, deck: str) -> None:
    workshop.find_own(tx, person, deck)
    tx.execute(
        "UPDATE deck_trials SET state = 'stopped' WHERE deck_id = ?"
        " AND state IN ('waiting', 'running')",
        deck,
    )


def see(tx: Tx, person: Person, deck: str) -> TrialSight:
    row = workshop.find_own(tx, person, deck)
    found = tx.row(
        tuple[str, int, int, int, str, str | None],
        "SELECT state, games, played, at, text, result FROM deck_trials WHERE deck_id = ?",
        deck,
    )
    if found is None:
        raise Missing
    state, games, played, at, text, result = found
    told = None if result is None else msgspec.json.decode(result)
    return TrialSight(state, games, played, at, text == row.text, told)


def delete_deck(tx: Tx, person: Person, deck: str) -> None:
    """A deck, with what bots found out about it."""
    workshop.find_own(tx, person, deck)
    tx.execute("DELETE FROM deck_trials WHERE deck_id = ?", deck)
    workshop.delete(tx, person, deck)


# -- For who plays ---------------------------------------------------------------------------


def wanted(tx: Tx, deck: str, at: int) -> Trial | None:
    """The trial that was asked for then, unless it was stopped or asked for anew."""
    return tx.row(
        Trial,
        "SELECT deck_id AS deck, game, deck_trials.text, games, at FROM deck_trials"
        " JOIN decks ON decks.id = deck_id WHERE deck_id = ? AND at = ?"
        " AND state IN ('waiting', 'running')",
        deck,
        at,
    )


def note(tx: Tx, trial: Trial, state: str, played: int, result: str | None = None) -> bool:
    """How far it is; whether anybody still wants to know."""
    return bool(
        tx.rows(
            str,
            "UPDATE deck_trials SET state = ?, played = ?, result = ? WHERE deck_id = ? AND at = ?"
            " AND state IN ('waiting', 'running') RETURNING deck_id",
            state,
            played,
            result,
            trial.deck,
            trial.at,
        )
    )
