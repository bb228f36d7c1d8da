"""Runs `openplan` in this process, as a shell would."""

import io
import sys
from typing import NamedTuple

import pytest

from openplan.cli.main import main


class Result(NamedTuple):
    status: int
    out: str
    err: str


def openplan(capsys: pytest.CaptureFixture[str], *arguments: str, typed: str = "") -> Result:
    capsys.readouterr()
    before = sys.stdin
    sys.stdin = io.StringIO(typed)
    try:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
    finally:
        sys.stdin = before
    assert isinstance(ended.value.code, int)
    out, err = capsys.readouterr()
    return Result(ended.value.code, out, err)
