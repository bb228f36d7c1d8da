"""Decks are kept by content, each once, as long as somebody refers to it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from openplan.core.registry import game_named
from openplan.decks import shipped_text
from openplan.server.clock import DAY
from openplan.server.store import Tx
from openplan.server.tables import deck_texts, match_cache
from openplan.server.tables.frozen import difference
from openplan.server.tables.table_rows import change_table
from tests.server.running import Client, Running, VirtualClock, running

GAME = "human-resources"
HOUSE = shipped_text(game_named(GAME), "house")


def own_deck(title: str) -> str:
    lines = HOUSE.splitlines()
    (at,) = [number for number, line in enumerate(lines) if line.startswith("title =")][:1]
    return "\n".join([*lines[:at], f'title = "{title}"', *lines[at + 1 :]]).replace(
        'name = "house"', 'name = "mine"', 1
    )


def opened(client: Client, **wish: Any) -> str:
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    return str(
        client.ok("POST", "/api/tables", {"game": GAME, "seats": seats, "public": True, **wish})[
            "id"
        ]
    )


def kept(server: Running) -> list[str]:
    select = "SELECT text FROM deck_texts ORDER BY size, text"
    return server.run(server.site.store.read(lambda tx: tx.rows(str, select)))


def compared(server: Running, table: str) -> str:
    return server.run(server.site.store.read(lambda tx: difference(tx, table)))


def test_a_deck_is_kept_once_however_many_play_with_it(tmp_path: Path, store_url: str) -> None:
    with running(tmp_path, database=store_url) as server:
        ann, ben = server.client("Ann"), server.client("Ben")
        mine, almost = own_deck("Ours"), own_deck("Ours") + "\n# and a word\n"
        tables = [opened(who, deck_text=mine) for who in (ann, ben, ann)]
        opened(ben, deck_text=almost)
        opened(ann)
        opened(ben)
        assert sorted(kept(server)) == sorted([mine, almost, HOUSE])
        select = "SELECT DISTINCT deck_text FROM tables"
        assert server.run(server.site.store.read(lambda tx: tx.rows(str, select))) == [""]
        for table in tables:
            assert ann.ok("GET", f"/api/tables/{table}")["deck"]["title"] == "Ours"


def test_texts_of_older_tables_come_together(
    tmp_path: Path, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store of the release before, with matches under way."""
    with running(tmp_path, database=store_url) as server:
        ann = server.client("Ann")
        mine = own_deck("Ours")
        tables = [opened(ann, deck_text=mine) for _ in range(3)]
        before = [ann.ok("GET", f"/api/tables/{table}") for table in tables]

        def age(tx: Tx) -> None:
            for table in tables:
                change_table(tx, table, deck_text=mine)
                tx.execute("UPDATE tables SET deck_id = NULL WHERE id = ?", table)
            tx.execute("DELETE FROM deck_texts")

        server.run(server.site.store.transact(age))
        for is_gathered in (False, True):
            # A cache that knows the decks would hide that they cannot be read.
            monkeypatch.setattr(match_cache, "_DECKS", match_cache.DecksRead())
            assert [compared(server, table) for table in tables] == ["", "", ""]
            assert [ann.ok("GET", f"/api/tables/{table}")["deck"] for table in tables] == [
                sight["deck"] for sight in before
            ]
            assert kept(server) == ([mine] if is_gathered else [])
            server.run(server.site.sweep())
        select = "SELECT id FROM tables WHERE deck_text <> '' OR deck_id IS NULL"
        assert server.run(server.site.store.read(lambda tx: tx.rows(str, select))) == []


def test_what_nobody_refers_to_goes(tmp_path: Path, store_url: str) -> None:
    clock = VirtualClock()
    with running(tmp_path, database=store_url, now=clock) as server:
        ann = server.client("Ann")
        mine, other = own_deck("Ours"), own_deck("Another")
        waits = {"seats": [{"kind": "me"}, {"kind": "open"}]}
        opened(ann, deck_text=mine, **waits)
        played = opened(ann, deck_text=other)
        clock.go_on(31 * 86_400)
        ann.ok("PUT", f"/api/tables/{played}/notes", {"text": "I am here"})
        server.run(server.site.sweep())
        assert kept(server) == [other]
        assert compared(server, played) == ""


def test_one_that_is_taken_up_again_stays(tmp_path: Path, store_url: str) -> None:
    """Whoever takes up a content that is about to go has it for a day, table or not."""
    with running(tmp_path, database=store_url) as server:

        def used(tx: Tx) -> list[int]:
            return tx.rows(int, "SELECT used_at FROM deck_texts")

        store = server.site.store
        for at, told in ((0, 0), (DAY // 4, 0), (DAY, DAY)):
            server.run(store.transact(partial(deck_texts.keep, game=GAME, text=HOUSE, now=at)))
            assert server.run(store.read(used)) == [told]
