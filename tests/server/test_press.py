"""Press by the table's rule; and nothing that tells who wrote grey press."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.running import Client, Running, VirtualClock
from tests.server.test_overdue import Table, serving

Site = tuple[Running, VirtualClock]


@pytest.fixture(scope="module")
def site(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("site"), site_url) as pair:
        yield pair


def farm(site: Site, rule: str, *, postal: bool = False, **wish: Any) -> Table:
    press = {"rule": rule, "postal": postal}
    return Table(*site, "cube-farm", press=press, master=True, **wish)


def write(client: Client, table: Table, to: list[str], text: str, *, grey: bool = False) -> Any:
    body = {"to": to, "text": text, "grey": grey}
    return client.ask("POST", f"{table.at}/press", body).status_code


def texts(client: Client, table: Table) -> list[str]:
    return [line["text"] for line in client.ok("GET", f"{table.at}/press")["lines"]]


def test_signed_press_reaches_whom_it_is_for(site: Site) -> None:
    table = farm(site, "signed")
    s, p, t = table.people.values()
    watcher = table.server.client("Watcher")
    assert write(s, table, ["P"], "to one") == 201
    assert write(s, table, ["P", "T"], "to two") == 201
    assert write(p, table, ["all"], "to all") == 201
    assert texts(s, table) == ["to one", "to two", "to all"]
    assert texts(p, table) == ["to one", "to two", "to all"]
    assert texts(t, table) == ["to two", "to all"]
    assert texts(watcher, table) == ["to all"]
    line = p.ok("GET", f"{table.at}/press")["lines"][0]
    assert (line["by"], line["name"], line["to"]) == ("S", "Player 0", ["P"])
    assert write(s, table, ["P"], "grey", grey=True) == 409
    assert write(watcher, table, ["all"], "me too") == 403


def test_bare_press_sends_nothing(site: Site) -> None:
    table = farm(site, "all")
    s = table.people["S"]
    for body in ({"to": ["P"], "text": "  \n "}, {"to": [], "text": "x"}):
        assert s.refused("POST", f"{table.at}/press", body)[0] == 422
    for to in (["X"], ["all", "X"], ["S", "nobody"]):
        assert s.refused("POST", f"{table.at}/press", {"to": to, "text": "x"}) == (422, "to")
    assert all(texts(client, table) == [] for client in table.people.values())


def test_without_press_the_master_is_still_reached(site: Site) -> None:
    table = farm(site, "none")
    s, p, _ = table.people.values()
    assert write(s, table, ["P"], "psst") == 409
    assert write(s, table, ["all"], "psst") == 409
    assert write(s, table, ["P", "master"], "psst") == 409
    assert s.refused("POST", f"{table.at}/chat", {"text": "psst"}) == (409, "press")
    assert write(s, table, ["master"], "a question") == 201
    assert table.master is not None
    assert texts(table.master, table) == ["a question"]
    assert texts(p, table) == []
    assert write(table.master, table, ["S"], "an answer") == 201
    assert texts(s, table) == ["a question", "an answer"]
    assert write(s, table, ["master"], "grey", grey=True) == 409


def test_postal_press_comes_with_the_turn(site: Site) -> None:
    table = farm(site, "all", postal=True)
    s, p, t = table.people.values()
    write(s, table, ["P"], "signed")
    write(t, table, ["all"], "unsigned", grey=True)
    write(s, table, ["master"], "at once")
    assert table.master is not None
    assert texts(table.master, table) == ["at once"]
    assert texts(p, table) == []
    assert [line["is_held"] for line in s.ok("GET", f"{table.at}/press")["lines"]] == [True, False]
    assert table.letters() == [("to-master", "Master")]
    table.send("S", "P", "T")
    assert texts(p, table) == ["signed", "unsigned"]
    assert texts(s, table) == ["signed", "at once", "unsigned"]


def everything(table: Table, client: Client) -> str:
    paths = ("", "/press", "/chat", "/log", "/record", "/audit")
    shown = [client.ask("GET", f"{table.at}{path}").text for path in paths]
    return json.dumps(shown)


@pytest.mark.parametrize("postal", [False, True])
@pytest.mark.parametrize("whom", ["all", "T", "both others"])
def test_grey_press_does_not_tell_its_author(site: Site, whom: str, *, postal: bool) -> None:
    """The same table twice; once one seat writes, once another: a third reads the same bytes."""
    table = farm(site, "all", postal=postal)
    reader = table.people["T"]
    site_ = table.server.site
    seen = []
    for author in ("S", "P"):
        # To both others: it must not be known for whom it leaves out.
        to = [whom] if whom != "both others" else [code for code in "SPT" if code != author]
        assert write(table.people[author], table, to, "a rumour", grey=True) == 201
        write(table.people["S"], table, ["all"], "hello")
        if postal:
            before = everything(table, reader)
            assert "rumour" not in before

            def release(tx: Any) -> None:
                tx.execute("UPDATE press SET is_held = 0 WHERE table_id = ?", table.id)

            table.server.run(site_.store.transact(release))
        shown = everything(table, reader), everything(table, table.server.client("W"))
        seen.append(shown)
        assert "rumour" in shown[0]

        def clear(tx: Any) -> None:
            tx.execute("DELETE FROM press WHERE table_id = ?", table.id)

        table.server.run(site_.store.transact(clear))
    assert seen[0] == seen[1]


def test_grey_press_is_in_no_order(site: Site) -> None:
    """Over many tries, what was written first does not come first."""
    table = farm(site, "all")
    firsts = set()
    for number in range(40):
        write(table.people["S"], table, ["all"], f"first {number}", grey=True)
        table.clock.go_on(1)
        write(table.people["P"], table, ["all"], f"second {number}", grey=True)
        got = [text for text in texts(table.people["T"], table) if text.endswith(f" {number}")]
        firsts.add(got[0].split()[0])
    assert firsts == {"first", "second"}


def test_a_grey_letter_has_no_author(site: Site) -> None:
    table = farm(site, "all")
    for person in table.people.values():
        person.ok("PATCH", "/api/me", {"wishes": {"message": True}})
    write(table.people["S"], table, ["all"], "unsigned", grey=True)
    write(table.people["S"], table, ["P", "T"], "to two", grey=True)
    rows = table.rows(
        str, "SELECT payload FROM outbox WHERE kind = 'letter' AND ? != '' ORDER BY id"
    )
    letters = [json.loads(row) for row in rows]
    letters = [one for one in letters if one.get("table") == table.id and one["kind"] == "press"]
    assert [(one["facts"]["by"], one["facts"]["to"]) for one in letters] == [
        *3 * [(None, ["all"])],
        (None, ["P"]),
        (None, ["T"]),
    ]
