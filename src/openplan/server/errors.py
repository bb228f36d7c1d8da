"""What the server refuses, on top of what the rules refuse.

Every refusal has a status, a stable code and a reason, and says nothing that its reader may not
know.
"""

from __future__ import annotations

from typing import ClassVar

from openplan.core.game import GameError
from openplan.core.sentences import LANGUAGES
from openplan.server.refusals import SENTENCES


class _Fixed(GameError):
    """A refusal that is always the same."""

    def __init__(self, code: str, said: str = "") -> None:
        told = {language: SENTENCES.say(said or code, {}, language) for language in LANGUAGES}
        super().__init__(code, told[LANGUAGES[0]], told=told)


class Missing(_Fixed):
    """It is not there, or not for you: both are answered alike."""

    status: ClassVar[int] = 404

    def __init__(self) -> None:
        super().__init__("missing")


class NotSignedIn(_Fixed):
    status: ClassVar[int] = 401

    def __init__(self) -> None:
        super().__init__("no-session")


class Forbidden(GameError):
    """You may see it, but this is not yours to do."""

    status: ClassVar[int] = 403


class DoesNotReplay(_Fixed):
    """The stored match no longer leads where it led. What is wrong with it may quote what is hidden
    in it, and is told to nobody."""

    status: ClassVar[int] = 409

    def __init__(self, table: str) -> None:
        super().__init__("held", "does-not-replay")
        self.table = table


class TooMany(_Fixed):
    status: ClassVar[int] = 429

    def __init__(self) -> None:
        super().__init__("too-many")


class NoHint(_Fixed):
    status: ClassVar[int] = 503

    def __init__(self) -> None:
        super().__init__("no-hint")


class TimeIsUp(_Fixed):
    """A deadline has passed of which the log does not know yet. It is entered first."""

    def __init__(self, table: str) -> None:
        super().__init__("time-is-up")
        self.table = table
