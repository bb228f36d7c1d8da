"""Serves with a mailbox that is looked into all the time, in a process that can be killed.

    python -m tests.server.polling SETTINGS

SETTINGS is a JSON file: the settings of the server, and `die`, a file. While that is there, the
process kills itself at the place it names: `before` a mail is kept, or `after` it is kept and
before it is marked as read. It fails on mails that say FAIL ON THIS.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import uvicorn

from openplan.mail.inbound.mailbox import Mailbox, Received
from openplan.server.http.app import serving
from openplan.server.logs import configure_logs
from openplan.server.mailing import inbox
from openplan.server.notify import outbox
from openplan.server.ops.serve import make_app
from openplan.server.settings import Settings


def main() -> None:
    wish = json.loads(Path(sys.argv[1]).read_text())
    die = Path(wish.pop("die"))
    receive, mark = inbox.Inbox.receive, Mailbox._mark

    async def receive_or_die(self: inbox.Inbox, mail: Received) -> None:
        _die_if(die, "before")
        if b"FAIL ON THIS" in mail.content:
            raise RuntimeError("a fault of the program")
        await receive(self, mail)

    def mark_or_die(self: Mailbox, uid: str) -> None:
        _die_if(die, "after")
        mark(self, uid)

    configure_logs("info")
    settings = Settings(data=Path(wish.pop("data")), limits=False, **wish)
    places: list[tuple[Any, str, Any]] = [
        (inbox, "POLL_SECONDS", 0.2),
        # The postman may die with an answer in hand; nobody wants to wait two minutes for it here.
        (outbox, "LEASE", 2_000_000),
        (inbox.Inbox, "receive", receive_or_die),
        (Mailbox, "_mark", mark_or_die),
    ]
    for where, name, what in places:
        patch.object(where, name, what).start()
    uvicorn.Server(serving(make_app(settings))).run()


def _die_if(die: Path, place: str) -> None:
    if die.exists() and die.read_text() == place:
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
