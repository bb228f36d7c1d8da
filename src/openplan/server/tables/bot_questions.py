"""What a bot is asked, to move or to give a hint: all that its seat was told, and nothing else."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from openplan.bots import STRONGEST
from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.core.record import write_record
from openplan.server.errors import Forbidden
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.tables import deck_texts
from openplan.server.tables.access import FoundTable
from openplan.server.tables.choices import check_choosing
from openplan.server.tables.match_cache import MatchCache


class Question(NamedTuple):
    """All that a worker process gets."""

    record: str
    deck_text: str
    bot: str
    seed: int


def question(tx: Tx, here: FoundTable, match: Match, seat: Seat, bot: str) -> Question:
    record = write_record(match, seat)
    return Question(record, deck_texts.at_table(tx, here.id), bot, secrets.randbits(64))


def ask_hint(tx: Tx, cache: MatchCache, here: FoundTable) -> tuple[int, Question]:
    """What a bot is asked by somebody who is to act, and the version of their view."""
    seat = here.own_seat()
    if not here.options.hints:
        raise refused(Forbidden, "no-hints")
    with cache.timed(tx, here.row) as timed:
        match = timed.match
        check_choosing(match, seat)
        return match.version(seat), question(tx, here, match, seat, STRONGEST.name)
