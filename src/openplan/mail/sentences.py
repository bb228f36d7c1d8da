"""What the judge says of a mail and of its lines. What a game or the house refuses is said in their
own words."""

from __future__ import annotations

from typing import Final

from openplan.core.game import GameError, Unreadable
from openplan.core.sentences import Sentences, spoken_in

_SENTENCES: Final = Sentences.of("verdicts")
say: Final = _SENTENCES.say


def unreadable(code: str, said: str, **params: object) -> Unreadable:
    return _SENTENCES.refused(Unreadable, code, said, **params)


def reason_of(error: GameError, language: str) -> str:
    """Why something was refused, in the reader's language as far as it can be said there."""
    return error.reason_in(spoken_in(language))
