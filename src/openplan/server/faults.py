"""What the server refuses, on top of what the rules refuse. Every refusal has a status, a stable
code and a reason, and says nothing that its reader may not know."""

from __future__ import annotations

from typing import ClassVar

from openplan.core.game import GameError


class Missing(GameError):
    """It is not there, or not for you: both are answered alike."""

    status: ClassVar[int] = 404

    def __init__(self) -> None:
        super().__init__("missing", "there is no such thing here")


class NotSignedIn(GameError):
    status: ClassVar[int] = 401

    def __init__(self) -> None:
        super().__init__("no-session", "first say who you are: as a guest, or by signing in")


class Forbidden(GameError):
    """You may see it, but this is not yours to do."""

    status: ClassVar[int] = 403


class DoesNotReplay(GameError):
    """The stored match no longer leads where it led. What is wrong with it may quote what is hidden
    in it, and is told to nobody."""

    status: ClassVar[int] = 409

    def __init__(self, table: str) -> None:
        reason = "this match does not replay; it is held until its keeper has looked into it"
        super().__init__("held", reason)
        self.table = table


class TooMany(GameError):
    status: ClassVar[int] = 429

    def __init__(self) -> None:
        super().__init__("too-many", "too many requests; wait a little")


class NoHint(GameError):
    status: ClassVar[int] = 503

    def __init__(self) -> None:
        super().__init__("no-hint", "no hint was found in time; try again later")


class TimeIsUp(GameError):
    """A deadline has passed of which the log does not know yet. It is entered first."""

    def __init__(self, table: str) -> None:
        super().__init__("time-is-up", "the time was up before this arrived")
        self.table = table
