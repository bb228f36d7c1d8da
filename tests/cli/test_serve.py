"""`openplan serve` as it is typed, where it cannot start: one line says why."""

from __future__ import annotations

import socket
import sqlite3
from pathlib import Path

import pytest

from openplan.cli.serve import _listening
from tests.cli.command import openplan

Capture = pytest.CaptureFixture[str]


def refused(capsys: Capture, folder: Path, *arguments: str) -> str:
    done = openplan(capsys, "serve", "--data", str(folder), *arguments)
    assert (done.status, done.out) == (2, "")
    *logged, said = done.err.splitlines()
    assert all(line.startswith("{") and "Traceback" not in line for line in logged)
    assert said.startswith("openplan: ")
    return said


def test_a_port_that_is_taken(tmp_path: Path, capsys: Capture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        said = refused(capsys, tmp_path, "--port", str(port))
    assert f"127.0.0.1:{port}" in said
    assert "--port" in said


@pytest.mark.parametrize("port", ["-1", "65536", "99999"])
def test_a_port_that_there_is_not(port: str, tmp_path: Path, capsys: Capture) -> None:
    assert "65535" in refused(capsys, tmp_path, "--port", port)


def test_a_host_that_is_not_here(tmp_path: Path, capsys: Capture) -> None:
    assert "192.0.2.1" in refused(capsys, tmp_path, "--host", "192.0.2.1", "--port", "0")


def test_a_folder_that_cannot_be_one(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "file"
    file.write_text("kept")
    assert "no folder" in refused(capsys, file, "--port", "0")
    assert file.read_text() == "kept"
    # Nobody can write there, not even root.
    assert "/proc/secret" in refused(capsys, Path("/proc"), "--port", "0")


def test_a_database_of_another_program(tmp_path: Path, capsys: Capture) -> None:
    """What is found only after the start of the program is one line too."""
    with sqlite3.connect(tmp_path / "openplan.sqlite") as other:
        other.execute("CREATE TABLE users (of_another INTEGER)")
    other.close()
    assert "another program" in refused(capsys, tmp_path, "--port", "0")


def test_a_settings_file_that_is_broken(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "openplan.toml"
    file.write_text("port = [")
    assert str(file) in refused(capsys, tmp_path, "--config", str(file))


def test_any_port_is_one_port_at_all_addresses() -> None:
    with _listening("localhost", 0) as sockets:
        assert len({one.getsockname()[1] for one in sockets}) == 1
