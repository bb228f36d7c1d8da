"""The wheel, installed into an empty environment, serves the site and plays a move."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import httpx2
import pytest

from openplan import compiled
from tests.ports import own_port
from tests.server.running import Client

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = subprocess.run(
        [sys.executable, ROOT / "scripts" / "package.py", tmp_path_factory.mktemp("dist")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return Path(made.stdout.split()[-1])


def install(folder: Path, wanted: str) -> Path:
    """The command of an environment that holds nothing but the wheel and what it asks for."""
    uv = [sys.executable, "-m", "uv"]
    environment = {**os.environ, "UV_SYSTEM_CERTS": "1"}
    python = folder / "venv" / "bin" / "python"
    venv = ["venv", "--quiet", "--python", sys.executable, str(folder / "venv")]
    install = ["pip", "install", "--quiet", "--python", str(python), wanted]
    install += ["--constraints", str(ROOT / "requirements" / "test.txt")]
    for arguments in (venv, install):
        subprocess.run([*uv, *arguments], env=environment, cwd=folder, check=True)
    return python.with_name("openplan")


def said(command: Sequence[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "", "HOME": str(folder)}
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)


SOME_STEPS = """
from openplan.envs import VectorEnv
env = VectorEnv("human-resources", 4, seed=1)
for _ in range(300):
    env.step(env.sample())
print(env.finished > 4, env.cut)
"""


@pytest.mark.long
def test_without_an_extra_there_are_the_games_and_a_word_about_the_rest(
    wheel: Path, tmp_path: Path
) -> None:
    command = install(tmp_path, str(wheel))
    python = command.with_name("python")
    version = said([command, "--version"], tmp_path)
    assert version.stdout.splitlines()[-1] == compiled.describe()
    assert "Commands:" in said([command], tmp_path).stdout
    arena = ["arena", "cube", "--bots", "random,greedy,random", "--games", "1"]
    won = said([command, *arena], tmp_path)
    assert won.returncode == 0, won.stderr
    game = "import openplan; print(openplan.new_match('human-resources', seed=1).turn in 'AB')"
    assert said([python, "-c", game], tmp_path).stdout == "True\n"
    for refused in (["serve"], ["admin", "health"], ["mail", "check"]):
        told = said([command, *refused], tmp_path)
        assert told.returncode == 2
        assert told.stderr.startswith("openplan: this needs "), told.stderr
        assert told.stderr.endswith(": pip install 'openplan[server]'\n")
    model = said([command, "mcp", "human"], tmp_path)
    assert model.stderr == "openplan: this needs mcp: pip install 'openplan[mcp]'\n"
    missing = said([python, "-c", SOME_STEPS], tmp_path)
    assert missing.stderr.endswith("openplan.envs needs NumPy: pip install 'openplan[envs]'\n")


@pytest.mark.long
def test_with_envs_programs_learn_and_with_print_sheets_are_set(
    wheel: Path, tmp_path: Path
) -> None:
    command = install(tmp_path, f"{wheel}[envs,print]")
    python = command.with_name("python")
    assert said([python, "-c", SOME_STEPS], tmp_path).stdout == "True 0\n"
    suites = "import openplan.envs.zoo, openplan.envs.gym, typst; print('there')"
    assert said([python, "-c", suites], tmp_path).stdout == "there\n"
    assert "openplan[server]" in said([command, "serve"], tmp_path).stderr


@pytest.mark.long
def test_the_wheel_has_kernels_site_and_server_in_it(wheel: Path, tmp_path: Path) -> None:
    installed = install(tmp_path, f"{wheel}[server]")
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
