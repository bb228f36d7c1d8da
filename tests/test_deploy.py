"""What `deploy/` names is there: paths, targets, commands, options, settings, addresses, users.

Neither an image is built here nor a unit started, which needs Docker and systemd: docs/hosting.md
says how far both were tried.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from configparser import RawConfigParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import typer.main

from openplan.cli.main import app as command
from openplan.server.http.app import serving
from openplan.server.http.connections import WANTED_FILES
from openplan.server.ops.serve import description, make_app
from openplan.server.settings import Settings, read_settings

ROOT = Path(__file__).resolve().parent.parent
STEPS = re.findall(
    r"^([A-Z]+) (.*)$",
    (ROOT / "deploy" / "Dockerfile").read_text().replace("\\\n", " "),
    re.MULTILINE,
)


def steps(kind: str) -> list[str]:
    return [rest for name, rest in STEPS if name == kind]


def unit() -> RawConfigParser:
    parser = RawConfigParser(strict=True)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(ROOT / "deploy" / "openplan.service")
    return parser


def is_command(arguments: list[str]) -> bool:
    """Whether the command takes these, option by option."""
    group = typer.main.get_command(command)
    found = group.get_command(typer.Context(group), arguments[0])  # type: ignore[attr-defined]
    assert found is not None, arguments
    found.make_context("openplan", arguments[1:])  # or else it says what it does not know
    return True


def test_the_image_is_built_from_what_is_there() -> None:
    build, run = steps("FROM")
    assert build == f"{run} AS build"  # a wheel with kernels is for one Python
    wanted = re.search(r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    assert wanted
    assert run == "${BASE}"
    assert steps("ARG")[0].startswith(f"BASE=python:{wanted[1]}-")
    made = [step for step in steps("RUN") if step.startswith("make ")]
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [step.split()[1] for step in made] == ["wheel"]
    assert "wheel" in targets
    everything, picked = steps("COPY")
    assert everything == ". ."
    source, target = picked.removeprefix("--from=build ").split()
    assert source == target  # an environment works where it was made
    (install,) = [step for step in steps("RUN") if "pip install" in step]
    arguments = shlex.split(install)
    assert arguments[arguments.index("&&") - 1] == target
    assert arguments[arguments.index("pip") + 3] == f"{target}/bin/python"
    locked = arguments[arguments.index("--constraints") + 1]
    assert (ROOT / locked).is_file()
    assert arguments[-1] == "$(echo dist/*.whl)[server]"
    (set_to,) = steps("ENV")
    assert f"PATH={target}/bin:$PATH" in set_to
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".venv*", "build", "dist"} <= set(ignored)


@pytest.mark.parametrize(
    ("digest", "is_pinned"),
    [
        ("@sha256:" + "0a" * 32, True),
        ("", False),
        ("@sha256:", False),
        ("@sha256:" + "0a" * 31, False),
        ("@md5:" + "0a" * 32, False),
    ],
)
def test_the_image_is_built_over_a_digest_or_not_at_all(digest: str, is_pinned: bool) -> None:
    named, seen_by_the_step = steps("ARG")
    assert "@" not in named  # nobody here knows one
    assert seen_by_the_step == "BASE"
    check = steps("RUN")[0]
    base = {"BASE": named.removeprefix("BASE=") + digest}
    done = subprocess.run(
        ["/bin/sh", "-c", check], env=base, capture_output=True, text=True, check=False
    )
    assert (done.returncode == 0) is is_pinned
    assert is_pinned or "name the base by its digest: --build-arg BASE=" in done.stderr


def test_the_image_serves_where_it_says() -> None:
    given = dict(pair.split("=", 1) for pair in steps("ENV")[0].split())
    settings = read_settings(given)
    assert str(settings.data) == steps("VOLUME")[0]
    assert settings.host == "0.0.0.0"
    assert str(settings.port) == steps("EXPOSE")[0]
    user = steps("USER")[0]
    assert f"useradd --system --uid 10001 {user}" in steps("RUN")[-1]
    assert f"chown {user} {settings.data}" in steps("RUN")[-1]
    asked = re.search(r"urlopen\('(\S+)'", steps("HEALTHCHECK")[0])
    assert asked
    address = urlsplit(asked[1])
    assert (address.hostname, address.port) == ("127.0.0.1", settings.port)
    assert address.path in json.loads(description())["paths"]
    started = [*json.loads(steps("ENTRYPOINT")[0]), *json.loads(steps("CMD")[0])]
    assert started[0] == "openplan"
    assert is_command(started[1:])


def test_the_unit_starts_what_there_is(tmp_path: Path) -> None:
    service = unit()["Service"]
    program, *arguments = shlex.split(service["ExecStart"])
    assert program == "/opt/openplan/bin/openplan"
    assert is_command(arguments)
    folder = arguments[arguments.index("--data") + 1]
    assert folder == f"/var/lib/{service['StateDirectory']}"
    # The socket for `openplan admin`, and none but these.
    assert service["RestrictAddressFamilies"].split() == ["AF_INET", "AF_INET6", "AF_UNIX"]
    stops = serving(make_app(Settings(data=tmp_path))).timeout_graceful_shutdown
    assert stops is not None
    assert int(service["TimeoutStopSec"]) > stops
    text = (ROOT / "deploy" / "openplan.service").read_text()
    for pair in re.findall(r"OPENPLAN_\w+=\S+", text):
        name, value = pair.rstrip(",").split("=", 1)
        read_settings({name: value})  # or else it says that there is no such setting
    # As many files as the program has use for, and so asks for.
    assert int(service["LimitNOFILE"]) == WANTED_FILES


def test_the_unit_has_no_word_that_systemd_does_not_know() -> None:
    """It would ignore it, and say so in a log."""
    known = {
        "Unit": "Description After Wants",
        "Service": "ExecStart EnvironmentFile DynamicUser StateDirectory StateDirectoryMode Restart"
        " RestartSec TimeoutStopSec NoNewPrivileges PrivateTmp ProtectSystem ProtectHome"
        " PrivateDevices ProtectKernelTunables ProtectKernelModules ProtectKernelLogs"
        " ProtectControlGroups ProtectClock ProtectHostname ProtectProc RestrictAddressFamilies"
        " RestrictNamespaces RestrictRealtime RestrictSUIDSGID LockPersonality"
        " CapabilityBoundingSet SystemCallArchitectures SystemCallFilter UMask MemoryMax"
        " LimitNOFILE",
        "Install": "WantedBy",
    }
    for section, options in unit().items():
        assert set(options) <= set(known.get(section, "").split()), section
