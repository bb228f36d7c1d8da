"""The wheel, installed into an empty environment, serves the site and plays a move."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import httpx2
import pytest

from openplan import compiled
from tests.ports import own_port
from tests.server.running import Client

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of an environment that holds nothing but the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("installed")
    made = subprocess.run(
        [sys.executable, ROOT / "scripts" / "package.py"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    wheel = ROOT / made.stdout.split()[-1]
    uv = [sys.executable, "-m", "uv"]
    environment = {**os.environ, "UV_SYSTEM_CERTS": "1"}
    python = folder / "venv" / "bin" / "python"
    venv = ["venv", "--quiet", "--python", sys.executable, str(folder / "venv")]
    install = ["pip", "install", "--quiet", "--python", str(python), str(wheel)]
    install += ["--constraints", str(ROOT / "requirements" / "run.txt")]
    for arguments in (venv, install):
        subprocess.run([*uv, *arguments], env=environment, cwd=folder, check=True)
    return python.with_name("openplan")


@pytest.mark.long
def test_the_wheel_has_kernels_site_and_server_in_it(installed: Path, tmp_path: Path) -> None:
    port = own_port()
    environment = {"PATH": "", "HOME": str(tmp_path)}
    version = subprocess.run(
        [installed, "--version"], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert version.stdout.splitlines()[-1] == compiled.describe()
    server = subprocess.Popen(
        [installed, "serve", "--port", str(port), "--data", tmp_path / "data"],
        env=environment,
        cwd=tmp_path,
    )
    try:
        client = Client(f"127.0.0.1:{port}")
        wait_for(client)
        page = client.ok("GET", "/")
        assert '<script type="module"' in page, "the client, not the page that says it is missing"
        client.ok("POST", "/api/session", {"name": "Ann"})
        seats = [{"kind": "me"}, {"kind": "me", "name": "Bea"}]
        wish = {"game": "human-resources", "hot_seat": True, "seats": seats}
        table = client.ok("POST", "/api/tables", wish)["id"]
        (code,) = client.ok("GET", f"/api/tables/{table}")["to_act"]
        move = client.some_move(table, Random(1), f"?seat={code}")
        body = {"move": move, "version": 0, "submission": "first"}
        assert client.ok("POST", f"/api/tables/{table}/moves?seat={code}", body)["version"] == 1
        client.http.close()
    finally:
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) in (0, -signal.SIGTERM)


def wait_for(client: Client) -> None:
    for _ in range(300):
        try:
            client.ok("GET", "/ready")
        except httpx2.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server did not start")
