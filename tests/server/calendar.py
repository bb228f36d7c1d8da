"""Serves with a calendar that the tests turn, in a process of its own that they can kill.

    python -m tests.server.calendar SETTINGS

SETTINGS is a JSON file: the settings of the server, and `clock`, a file with the time in
microseconds.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import uvicorn

from openplan.server.http.app import serving
from openplan.server.logs import configure_logs
from openplan.server.ops.serve import make_app
from openplan.server.settings import Settings


def main() -> None:
    wish = json.loads(Path(sys.argv[1]).read_text())
    clock = Path(wish.pop("clock"))

    def now() -> int:
        return int(clock.read_text())

    configure_logs("warning")
    settings = Settings(data=Path(wish.pop("data")), limits=False, **wish)
    uvicorn.Server(serving(make_app(settings, now=now, steady=now))).run()


if __name__ == "__main__":
    main()
