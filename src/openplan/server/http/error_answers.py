"""How errors are answered, whoever comes upon them: the framework, or the fast lane."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import structlog
from litestar import Response
from litestar.exceptions import HTTPException, SerializationException

from openplan.core.deck import DeckError
from openplan.core.game import GameError
from openplan.server.http.pages import is_for_a_reader, nowhere
from openplan.server.http.routes.wire import RefusalSight, Req, language_of
from openplan.server.store import Conflict, StoreError, Unkeepable

# Codes for what the framework refuses before a route sees it.
_FRAMEWORK: Final = {
    400: (422, "unreadable", "the request cannot be read"),
    404: (404, "missing", "not found"),
    405: (405, "method", "this cannot be asked in this way"),
    413: (413, "too-large", "the request is too large"),
    415: (415, "media-type", "a request's body is JSON"),
}

log = structlog.get_logger()


def _refused(request: Req, error: GameError) -> Response[RefusalSight]:
    reason = error.reason_in(language_of(request))
    return Response(RefusalSight(error.code, reason, error.clause), status_code=error.status)


def _bad_deck(_: Req, error: DeckError) -> Response[RefusalSight]:
    return Response(
        RefusalSight("deck", str(error)[:2000], error.faults[0].clause), status_code=422
    )


def _store_failed(_: Req, error: StoreError) -> Response[RefusalSight]:
    if isinstance(error, Conflict):
        return Response(RefusalSight("conflict", "something else came first", ""), status_code=409)
    if isinstance(error, Unkeepable):
        reason = "there is a character in it that cannot be kept"
        return Response(RefusalSight("unreadable", reason, ""), status_code=422)
    log.error("the store failed", reason=str(error))
    reason = "this cannot be kept right now; try again under the same submission"
    return Response(RefusalSight("unavailable", reason, ""), status_code=503)


def _framework_refused(
    request: Req, error: HTTPException
) -> Response[RefusalSight] | Response[bytes]:
    if error.status_code == 404 and is_for_a_reader(request):
        return nowhere(request)
    status, code, reason = _FRAMEWORK.get(
        error.status_code, (error.status_code, "refused", "this cannot be done")
    )
    details = error.extra if isinstance(error.extra, list) else []
    wrong = [_wrong(str(one.get("key")), one["message"]) for one in details if "message" in one]
    if isinstance(error.__cause__, SerializationException):  # where in the body, and no more of it
        wrong = [str(error.__cause__)]
    if status == 422 and wrong:
        reason = f"{reason}: {'; '.join(wrong)[:500]}"
    return Response(RefusalSight(code, reason, ""), status_code=status, headers=error.headers)


def _wrong(name: str, message: str) -> str:
    if message == repr(name):  # a KeyError, which has no other words
        return "there is no body" if name == "data" else f"{name} is missing"
    return f"{name}: {message}"


def _not_text(_: Req, _error: UnicodeDecodeError) -> Response[RefusalSight]:
    return Response(RefusalSight("unreadable", "the request is not UTF-8", ""), status_code=422)


def _too_deep(_: Req, _error: RecursionError) -> Response[RefusalSight]:
    return Response(
        RefusalSight("unreadable", "the request is nested too deep", ""), status_code=422
    )


def _broken(_: Req, error: Exception) -> Response[RefusalSight]:
    log.error("a fault of this program", exc_info=error)
    return Response(RefusalSight("internal", "a fault of this program", ""), status_code=500)


ANSWERS: Final[dict[int | type[Exception], Callable[[Req, Any], Response[Any]]]] = {
    GameError: _refused,
    DeckError: _bad_deck,
    StoreError: _store_failed,
    HTTPException: _framework_refused,
    UnicodeDecodeError: _not_text,
    RecursionError: _too_deep,
    Exception: _broken,
}


def answer_to(request: Req, error: Exception) -> Response[Any]:
    """By the nearest kind that is known, as the framework looks for it."""
    kind = next(kind for kind in type(error).__mro__ if kind in ANSWERS)
    return ANSWERS[kind](request, error)
