"""What nobody comes back for goes after a while, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from openplan.server.people import marks
from openplan.server.store import Tx
from openplan.server.store.schema import metadata
from openplan.server.tables import clearing, lifecycle
from tests.server.people import id_of, member
from tests.server.running import Client, VirtualClock, running

MONTH = 31 * 86_400


def referring(target: str) -> set[str]:
    return {
        table.name
        for table in metadata.sorted_tables
        for column in table.columns
        for key in column.foreign_keys
        if key.target_fullname == f"{target}.id"
    }


def test_nothing_of_a_table_or_a_guest_is_forgotten() -> None:
    assert set(clearing.OF_A_TABLE) == referring("tables")
    # A result or a complaint keeps a guest; a table is removed whole; the others are let go of.
    elsewhere = {"results", "reports", "tables", "seats", "chat", "press", "reviews"}
    assert set(clearing.OF_A_GUEST) == referring("users") - elsewhere


def opened(client: Client, *seats: dict[str, str]) -> str:
    wish = {"game": "human-resources", "seats": list(seats), "public": True}
    return str(client.ok("POST", "/api/tables", wish)["id"])


def test_guests_and_tables_go_after_a_month(tmp_path: Path, store_url: str) -> None:
    clock = VirtualClock()
    me, other, bot = {"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}
    with running(tmp_path, database=store_url, now=clock) as server:
        gone, back, host, rival = (server.client(name) for name in ("Go", "Ba", "Ho", "Ri"))
        left = [opened(gone, me, other), opened(gone, me, bot)]
        gone.ok("POST", f"/api/tables/{left[0]}/chat", {"text": "hello?"})
        kept = [opened(back, me, bot), opened(host, me, other)]
        rival.ok("POST", f"/api/tables/{kept[1]}/join", {"seat": "B"})
        clock.go_on(MONTH)
        back.ok("PUT", f"/api/tables/{kept[0]}/notes", {"text": "I am here"})
        server.run(server.site.sweep())

        def there(tx: Tx) -> tuple[set[str], set[str]]:
            tables = set(tx.rows(str, "SELECT id FROM tables"))
            return tables, set(tx.rows(str, "SELECT name FROM users"))

        tables, people = server.run(server.site.store.read(there))
        assert tables == set(kept)
        assert people == {"Ba", "Ho", "Ri"}
        assert gone.ask("GET", f"/api/tables/{left[0]}").status_code == 404


def test_who_opens_tables_without_end_finishes_some_first(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ann = server.client("Ann")
        tables = [opened(ann, {"kind": "me"}, {"kind": "open"}) for _ in range(40)]
        assert len(tables) == lifecycle.MOST_OF_A_GUEST
        wish = {"game": "human-resources"}
        assert ann.refused("POST", "/api/tables", wish) == (403, "too-many-tables")
        ann.ok("POST", f"/api/tables/{tables[0]}/abort")
        ann.ok("POST", "/api/tables", wish)


def test_guests_of_one_address_open_no_tables_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "MOST_OF_GUESTS", 3)
    with running(tmp_path) as server:
        guests = [server.client(f"Guest {number}") for number in range(5)]

        def meet(tx: Tx) -> None:
            for guest in ids:
                marks.note(tx, guest, ["a:of-one-address"], 1)

        ids = [id_of(guest) for guest in guests[:4]]
        server.run(server.site.store.transact(meet))
        me, other = {"kind": "me"}, {"kind": "open"}
        for guest in guests[:3]:
            opened(guest, me, other)
        wish = {"game": "human-resources"}
        assert guests[3].refused("POST", "/api/tables", wish) == (403, "too-many-tables")
        opened(guests[4], me, other)
        opened(member(server, "Ann"), me, other)


def test_guests_invite_by_link(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        for client, is_refused in ((server.client("Ann"), True), (member(server, "Bea"), False)):
            table = opened(client, {"kind": "me"}, {"kind": "open"})
            asked = ("POST", f"/api/tables/{table}/invite", {"email": "ben@example.org"})
            if is_refused:
                assert client.refused(*asked) == (403, "guest-invites")
            else:
                client.ok(*asked)
