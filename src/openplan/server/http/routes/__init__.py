"""The routes: what may be asked over HTTP and by WebSocket.

Each reads its request, runs one use-case in one transaction, and answers after the commit. The
description is at /openapi.json.
"""

from __future__ import annotations

from typing import Final

from openplan.server.http.routes import (
    decks,
    library,
    live,
    master,
    people,
    play,
    printing,
    reviews,
    social,
    tables,
    talk,
    time,
    told,
)

ROUTES: Final = [
    *people.ROUTES,
    *social.ROUTES,
    *tables.ROUTES,
    *play.ROUTES,
    *talk.ROUTES,
    *time.ROUTES,
    *told.ROUTES,
    *master.ROUTES,
    *live.ROUTES,
    *library.ROUTES,
    *decks.ROUTES,
    *printing.ROUTES,
    *reviews.ROUTES,
]
