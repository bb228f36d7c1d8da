"""Whole conversations by mail: the letters that go out and the state after, as they were read and
found good. `tests/mail/conversation.py` says how the files are written and rewritten."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from rich.cells import cell_len

from openplan.core.game import AnyGame
from openplan.core.registry import game_named
from openplan.server.notify.letters import KINDS, AccountLetter
from tests.mail.conversation import FOLDER, Sent, letters_in, rewritten
from tests.mail.quoting import assert_reads_as_nothing
from tests.probes import games

FILES = sorted(FOLDER.glob("*.txt"))
BY_NAME = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@BY_NAME
def test_a_conversation_goes_as_it_is_written(file: Path) -> None:
    assert rewritten(file) == file.read_text("utf-8"), (
        f"look at it, then: python -m tests.mail.conversation --rewrite {file.stem}"
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Shown: ann bob\n", "names with commas between them, not 'ann bob'"),
        (
            ">>> ann@example.org plays here\n\n>>> ann writes\nBEGIN\nEND\n",
            "try `ann writes to the",
        ),
    ],
)
def test_a_conversation_that_cannot_go_says_why(text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.txt"
    file.write_text(text)
    with pytest.raises(ValueError, match=re.escape(why)):
        rewritten(file)


@cache
def letters() -> tuple[tuple[str, Sent], ...]:
    """Every letter that is shown whole, with the file it is in."""
    return tuple((file.stem, sent) for file in FILES for sent in letters_in(file) if sent.text)


def test_every_kind_of_letter_is_among_them() -> None:
    kinds = {sent.kind for _, sent in letters()}
    # Announcements and questions to the master are press, a result is the last report, and the
    # daily news are of no table (tests/server/test_told.py).
    of_tables = {kind for kind, sort in KINDS.items() if sort is not AccountLetter}
    expected = {*of_tables, "result"} - {"announcement", "to-master", "digest"}
    assert expected <= kinds, expected - kinds


def test_every_letter_fits_in_72_columns_and_its_header_lines_are_stable() -> None:
    known = re.compile(
        r":: (Game (cube-farm|human-resources) [0-9]+|Turn [0-9]+|Master|Seat [A-Z]"
        r"|Deadline [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC)"
    )
    for name, sent in letters():
        for line in sent.text.splitlines():
            is_link = re.fullmatch(r"(https?://|BEGIN |\|     orders\+)\S+", line)
            assert cell_len(line) <= 72 or is_link, (name, sent.kind, line)
            assert not line.startswith("::") or known.fullmatch(line), (name, line)


def _game_of(sent: Sent) -> list[AnyGame]:
    found = re.search(r"(?m)^:: Game (\S+)", sent.text)
    return [game_named(found[1])] if found else games()


@BY_NAME
def test_no_letter_that_comes_back_in_whatever_way_holds_an_order(file: Path) -> None:
    """Every letter of every kind, by every way of quoting that we know of."""
    seen = set()
    for sent in letters_in(file):
        if sent.text and sent.text not in seen:
            seen.add(sent.text)
            for game in _game_of(sent):
                assert_reads_as_nothing(sent.text.splitlines(), game)
    assert seen
