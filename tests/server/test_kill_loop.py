"""SIGKILL at any moment loses no acknowledged entry and doubles none; see kill_loop.py."""

from __future__ import annotations

import pytest

from tests.server.killing import run_kill_loop


def test_twenty_kills(store_url: str) -> None:
    done = run_kill_loop(store_url, 20)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    assert done.stdout.startswith("20 kills, ")


@pytest.mark.parametrize(("fault", "said"), [("early", "are lost"), ("no-key", "are doubled")])
def test_the_kill_loop_goes_red(store_url: str, fault: str, said: str) -> None:
    done = run_kill_loop(store_url, 8, fault=fault)
    assert done.returncode == 1, done.stderr
    assert said in done.stdout
