"""On PostgreSQL several transactions are under way at once: what an answer by mail draws of
another's table is not changed under its hands by a move there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from openplan.core.match import Match
from openplan.mail.commands import arguments
from openplan.mail.commands.grammar import VERBS
from openplan.mail.commands.items import Command
from openplan.mail.commands.judge import Judgement
from openplan.mail.commands.port import Bearer, Role
from openplan.mail.outbound import enclosures
from openplan.mail.outbound.letter import Block
from openplan.server.mailing import answers
from openplan.server.mailing.answers import Answering
from openplan.server.mailing.port import JudgesPort
from openplan.server.store import Tx
from openplan.server.tables.access import table_name
from tests.server.databases import Postgres
from tests.server.people import id_of
from tests.server.running import running

pytestmark = pytest.mark.xdist_group("postgresql")


@pytest.mark.parametrize(
    ("asked", "where", "drawing"),
    [("GAME", answers, "draw_table"), ("HISTORY", enclosures, "history")],
)
def test_a_move_meets_no_match_that_is_being_drawn(
    asked: str,
    where: Any,
    drawing: str,
    postgres: Postgres,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = getattr(where, drawing)
    draws, moved = threading.Event(), threading.Event()
    seen: list[int] = []

    def slowly(match: Match, *more: Any) -> Iterator[Block]:
        """Meanwhile somebody moves, and it is committed."""
        if not seen:
            seen.append(match.ply)
            draws.set()
            assert moved.wait(20)
            seen.append(match.ply)
        yield from real(match, *more)

    monkeypatch.setattr(where, drawing, slowly)
    with running(tmp_path, database=postgres.new_url()) as server:
        ann, bob, eve = (server.client(name) for name in ("Ann", "Bob", "Eve"))
        wish = {"game": "human-resources", "public": True}
        table = ann.ok("POST", "/api/tables", wish)["id"]
        bob.ok("POST", f"/api/tables/{table}/join", {})
        people = {"A": ann, "B": bob}

        def play(number: int) -> None:
            (code,) = ann.ok("GET", f"/api/tables/{table}")["to_act"]
            version = people[code].ok("GET", f"/api/tables/{table}")["version"]
            move = people[code].some_move(table, Random(number))
            people[code].play(table, move, version, f"s{number}")

        play(1)
        who = Bearer(id_of(eve), Role.KNOWN)
        has_mail = "UPDATE users SET email = 'eve@x.example' WHERE id = ?"
        server.run(server.site.store.transact(lambda tx: tx.execute(has_mail, who.person)))
        found: list[Block] = []

        def answer(tx: Tx) -> None:
            site = server.site
            port = JudgesPort(tx, site.writers, site.secret, site.now())
            name = table_name(tx, table)
            given = (
                arguments.table(name) if asked == "GAME" else arguments.turns(f"1-1 game {name}")
            )
            judgement = Judgement(mail=None)  # type: ignore[arg-type]
            answering = Answering(port, judgement, who, site.settings)
            found.extend(answering._enclosed(Command(1, 1, VERBS[asked], given)))

        asking = threading.Thread(target=lambda: server.run(server.site.store.transact(answer)))
        asking.start()
        assert draws.wait(10), found
        play(2)
        moved.set()
        asking.join(20)
    assert seen[0] == seen[1], "the match went on while it was drawn"
