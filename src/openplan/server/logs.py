"""Structured lines on standard error, one for each event.

An error's words may quote what it failed on: a sealed order, a card in a hand, a row of a table. So
an error is written down by its kind and by where in the program it was raised, and so are those it
came from; none is written down by its words. The same goes for what libraries log.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any, Final, TextIO, cast

import structlog

from openplan.core.game import GameError

LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}
FRAMES: Final = 12
"""So many of the innermost calls are enough to find the place."""


def configure_logs(level: str) -> None:
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _without_words,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS.get(level, 20)),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _StandardError())),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    if not any(isinstance(handler, _FromLibraries) for handler in root.handlers):
        root.addHandler(_FromLibraries(logging.WARNING))


def kind_of(error: BaseException) -> str:
    """What an error is, without its words."""
    name = type(error).__name__
    return f"{name} {error.code}" if isinstance(error, GameError) else name


def _without_words(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, BaseException):
        event["error"] = list(_raised(error))
    return event


def _raised(error: BaseException | None) -> Iterator[str]:
    """An error and those it came from, each with the calls that led to it, the last one last."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        calls = traceback.extract_tb(error.__traceback__)[-FRAMES:]
        places = [f"{Path(call.filename).stem}:{call.lineno} {call.name}" for call in calls]
        yield f"{kind_of(error)}: {' > '.join(places)}"
        error = error.__cause__ or error.__context__


class _FromLibraries(logging.Handler):
    """What uvicorn and others have to say, without what they say it about."""

    def emit(self, record: logging.LogRecord) -> None:
        # asyncio writes out the arguments of what failed.
        said = "" if record.name == "asyncio" else str(record.msg)
        log = structlog.get_logger()
        log.log(
            record.levelno,
            said or "a fault of this program",
            of=record.name,
            exc_info=record.exc_info[1] if record.exc_info else None,
        )


class _StandardError:
    """Whatever standard error is when a line is written: it may be exchanged after the start."""

    def write(self, text: str) -> None:
        sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()
