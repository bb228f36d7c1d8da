"""What the logs hold: enough to see what happened, nothing of what is secret."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import httpx2

from tests.ports import own_port
from tests.server.running import Client, frame

SERVE = "from openplan.cli.main import main; main()"


def test_logs_tell_no_secrets_and_the_command_stops_when_asked(tmp_path: Path) -> None:
    log = tmp_path / "log"
    port = own_port()
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, "serve", "--port", str(port), "--data", str(tmp_path)],
            env={**os.environ, "OPENPLAN_LOG_LEVEL": "debug"},
            stdout=out,
            stderr=out,
        )
    ann = Client(f"127.0.0.1:{port}")
    try:
        for _ in range(300):
            if log.read_bytes() and _answers(ann):
                break
            time.sleep(0.1)
        ann.ok("POST", "/api/session", {"name": "Annabelle"})
        account = {"login": "annabelle", "password": "a secret phrase", "name": "Annabelle"}
        ann.ok("POST", "/api/session/sign-up", account)
        seats = [{"kind": "bot", "bot": "random"}, {"kind": "me"}]
        table = ann.ok("POST", "/api/tables", {"game": "human-resources", "seats": seats})["id"]
        with ann.live(table, "?invite=not-to-be-logged") as live:
            now = frame(live)["table"]
            while now["to_act"] != ["B"]:
                now = frame(live)["table"]
        move = ann.some_move(table, Random(1))
        ann.play(table, move, now["version"], "one")
        ann.ok("POST", f"/api/tables/{table}/chat", {"text": "psst"})
        cookies = list(dict(ann.http.cookies).values())
    finally:
        ann.http.close()
        process.send_signal(signal.SIGTERM)
        status = process.wait(30)
    assert status in (0, -signal.SIGTERM)
    text = log.read_text()
    assert f"/api/tables/{table}/moves" in text
    for secret in (*cookies, "a secret phrase", move, "not-to-be-logged", "psst", '"deal'):
        assert secret not in text, secret


def _answers(client: Client) -> bool:
    try:
        return client.ask("GET", "/ready").is_success
    except httpx2.TransportError:
        return False
