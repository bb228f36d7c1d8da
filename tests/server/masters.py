"""Every act of a game master, as the program has them: whoever adds one has it tried."""

from __future__ import annotations

from typing import Any

from litestar.handlers import HTTPRouteHandler

from openplan.server.http.routes import master

MEANT: dict[str, Any] = {
    "process": {"turn": 2},
    "preview": None,
    "calendar": None,
    "deadline": {"due_at": 1_700_000_000_000_000 + 2 * 86_400_000_000},
    "pause": None,
    "resume": None,
    "roll-back": {"number": 1},
    "terminate": None,
    "eject": {"seat": "P", "then": "open"},
    "seat": {"seat": "P"},
    "orders": {"seat": "P", "orders": "1: card 9 N2"},
    "announce": {"text": "hear"},
    "hand-over": None,
    "accept": {"invite": "no"},
    "agree": {"agrees": True},
}


def master_routes() -> list[tuple[str, str]]:
    """Method and path of each."""
    found = []
    for handler in master.ROUTES:
        assert isinstance(handler, HTTPRouteHandler)
        for path in handler.paths:
            if "/master/" in path:
                (method,) = {*handler.http_methods} - {"OPTIONS", "HEAD"}
                found.append((str(method), path.replace("{table:str}", "{table}")))
    assert {path.rpartition("/")[2] for _, path in found} == set(MEANT)
    return found
