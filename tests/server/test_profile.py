"""What is a person's own: wishes, what a guest takes along; all of it exported, all of it gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from openplan.server.people import belongings, names, profile, reliability
from openplan.server.store import Tx
from openplan.server.store.schema import metadata
from openplan.server.tables import standby
from openplan.server.tables.access import load
from tests.server.people import cheap_passwords, id_of, letters_to, member, token_in
from tests.server.running import Client, Running, frame, running

PUBLIC = {"game": "human-resources", "public": True}
PASSWORD = "a long phrase"


@pytest.fixture(scope="module")
def server(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with cheap_passwords(), running(tmp_path_factory.mktemp("site"), database=site_url) as site:
        yield site


def sign_in(client: Client, account: Client) -> Any:
    login = account.ok("GET", "/api/me")["login"]
    return client.ok("POST", "/api/session/sign-in", {"login": login, "password": PASSWORD})


# -- Wishes ----------------------------------------------------------------------------------


def test_name_zone_language_and_wishes(server: Running) -> None:
    ann = server.client("Ann")
    before = ann.ok("GET", "/api/me")
    assert (before["zone"], before["language"]) == ("UTC", "en")
    of_what = {"turn": False, "reminder": True, "end": False, "message": True}
    how = {"mail": "daily", "push": "never", "hook": "now", "browser": "never", "bell": True}
    wishes = {**of_what, **how}
    change = {"zone": "America/New_York", "language": "pt-BR", "wishes": wishes}
    after = ann.ok("PATCH", "/api/me", change)
    assert after == {**before, **change} == ann.ok("GET", "/api/me")
    assert ann.ok("PATCH", "/api/me", {}) == after
    assert ann.ok("PATCH", "/api/me", {"name": "Anna"})["name"] == "Anna"
    for bad in (
        {"zone": "../../etc/passwd"},
        {"zone": "Mars/Olympus"},
        {"zone": ""},
        {"zone": "UTC\0"},
        {"language": "x"},
        {"language": "en_US.UTF-8"},
        {"name": " "},
        {"name": "a\nb"},
        {"wishes": {"turn": "maybe"}},
        {"wishes": {"everything": True}},
        {"wishes": {"mail": "hourly"}},
        {"wishes": {"browser": "daily"}},
        {"zone": 7},
    ):
        assert ann.refused("PATCH", "/api/me", bad)[0] in (409, 422), bad
    assert ann.ok("GET", "/api/me") == {**after, "name": "Anna"}


# -- A guest signs in ------------------------------------------------------------------------


def test_a_new_name_goes_to_the_seats_that_wait(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        guest, ben = server.client("Guest"), server.client("Ben")
        waiting, hidden, begun = (
            guest.ok("POST", "/api/tables", {"game": "human-resources", **more})["id"]
            for more in ({}, {"anonymous": True}, {})
        )
        invite = guest.ok("GET", f"/api/tables/{begun}")["invite"]
        ben.ok("POST", f"/api/tables/{begun}/join", {"invite": invite})
        unnamed = guest.ok("GET", f"/api/tables/{hidden}")["seats"][0]["name"]
        guest.ok("PATCH", "/api/me", {"name": "Ann"})
        names = [
            guest.ok("GET", f"/api/tables/{table}")["seats"][0]["name"]
            for table in (waiting, hidden, begun)
        ]
        assert names == ["Ann", unnamed, "Guest"]
        assert unnamed != "Guest"


def test_a_guests_games_go_along_on_signing_in(server: Running) -> None:
    ann, bob = member(server, "Ann"), server.client("Bob")
    guest = server.client("Guest")
    table = guest.ok("POST", "/api/tables", PUBLIC)["id"]
    at = f"/api/tables/{table}"
    bob.ok("POST", f"{at}/join", {})
    people = {"A": guest, "B": bob}
    sent: dict[str, Any] = {}
    for turn in range(3):
        (code,) = guest.ok("GET", at)["to_act"]
        mover = people[code]
        version = mover.ok("GET", at)["version"]
        move = mover.some_move(table, Random(turn))
        mover.play(table, move, version, f"s{turn}")
        if mover is guest:
            sent = {"move": move, "version": version, "submission": f"s{turn}"}
    guest.ok("PUT", f"{at}/notes", {"text": "mine"})
    guest.ok("POST", f"{at}/chat", {"text": "hello"})
    view = guest.ok("GET", at)["view"]
    waiting = guest.ok("POST", "/api/tables", PUBLIC)["id"]
    with guest.live(table) as live:
        frame(live)
        assert sign_in(guest, ann)["left_behind"] == []
        assert frame(live, "gone")["reason"] == "signed out"
    me = guest.ok("GET", "/api/me")
    assert (me["name"], me["id"]) == ("Ann", id_of(ann))
    assert guest.ok("GET", at)["view"] == view
    assert guest.ok("GET", f"{at}/notes") == {"text": "mine"}
    # What was sent before and is sent again is still one move.
    entries = len(guest.ok("GET", f"{at}/log")["entries"])
    guest.ok("POST", f"{at}/moves", sent)
    assert len(guest.ok("GET", f"{at}/log")["entries"]) == entries
    assert {row["id"] for row in ann.ok("GET", "/api/me/tables")} >= {table, waiting}
    seat = ann.ok("GET", f"/api/tables/{waiting}")["seats"][0]
    assert (seat["name"], seat["person"]) == ("Ann", me["id"])
    assert ann.ok("GET", f"/api/tables/{waiting}")["is_owner"]


def test_nobody_gets_two_seats_by_signing_in(server: Running) -> None:
    ann = member(server, "Ann")
    guest = server.client("Guest")
    running_table = ann.ok("POST", "/api/tables", PUBLIC)["id"]
    guest.ok("POST", f"/api/tables/{running_table}/join", {})
    guest.ok("PUT", f"/api/tables/{running_table}/notes", {"text": "the guest's"})
    ann.ok("PUT", f"/api/tables/{running_table}/notes", {"text": "Ann's"})
    waiting = ann.ok("POST", "/api/tables", {**PUBLIC, "starts_when_full": False})["id"]
    guest.ok("POST", f"/api/tables/{waiting}/join", {})
    other = guest.ok("POST", "/api/tables", PUBLIC)["id"]
    left = {one["table"]: one["reason"] for one in sign_in(guest, ann)["left_behind"]}
    assert set(left) == {running_table, waiting}
    assert "free again" in left[waiting]
    assert "already" in left[running_table]
    seats = ann.ok("GET", f"/api/tables/{running_table}")["seats"]
    assert [seat["person"] == id_of(ann) for seat in seats] == [True, False]
    assert seats[1]["kind"] == "person", "an absent player's, and nobody else's"
    assert ann.ok("GET", f"/api/tables/{waiting}")["seats"][1]["kind"] == "empty"
    assert ann.ok("GET", f"/api/tables/{other}")["you"] == "A"
    assert ann.ok("GET", f"/api/tables/{running_table}/notes") == {"text": "Ann's\nthe guest's"}


def test_who_plays_does_not_stand_by_by_signing_in(server: Running) -> None:
    """Else a second seat of the table would be theirs when somebody is absent."""
    ann, bob, cleo = member(server, "Ann"), server.client("Bob"), server.client("Cleo")
    guest = server.client("Guest")
    table = ann.ok("POST", "/api/tables", {**PUBLIC, "absence": {"policy": "standby"}})["id"]
    bob.ok("POST", f"/api/tables/{table}/join", {})
    for one in (guest, cleo):
        one.ok("POST", f"/api/tables/{table}/standby", {"is_on": True})
    sign_in(guest, ann)

    def standing(tx: Tx) -> list[str]:
        place = load(tx, table, None)
        assert place is not None
        return [name for _, name in standby.standing_by(tx, place)]

    assert server.run(server.site.store.read(standing)) == ["Cleo"]


def test_a_member_who_signs_in_elsewhere_takes_nothing_along(server: Running) -> None:
    ann, bob = member(server, "Ann"), member(server, "Bob")
    table = bob.ok("POST", "/api/tables", PUBLIC)["id"]
    sign_in(bob, ann)
    assert bob.ok("GET", f"/api/tables/{table}")["you"] is None


def users_columns() -> set[tuple[str, str]]:
    """Every place in the store where somebody is named."""
    named = {
        (table.name, column.name)
        for table in metadata.tables.values()
        for column in table.columns
        if any(key.column.table.name == "users" for key in column.foreign_keys)
    }
    return named | {
        ("audit", "user_id"),
        ("seats", "first_user_id"),
        ("tables", "master_id"),
        ("tables", "next_master_id"),
    }


def test_nowhere_is_a_guest_still_named_after_signing_in(server: Running) -> None:
    """One row for the guest in every place there is, and none left after the merge."""
    ann, bob, guest = member(server, "Ann"), server.client("Bob"), server.client("Guest")
    ids = {"guest": id_of(guest), "ann": id_of(ann), "bob": id_of(bob)}
    table = guest.ok("POST", "/api/tables", PUBLIC)["id"]
    planted = set()

    def plant(tx: Tx) -> None:
        # Decks first, of which there are versions and trials.
        for name, column in sorted(users_columns(), key=lambda one: (one[0] != "decks", one)):
            found = metadata.tables[name]
            if name in ("seats", "tables"):
                key = "table_id" if name == "seats" else "id"
                sql = f"UPDATE {name} SET {column} = ? WHERE {key} = ?"
                tx.execute(sql, ids["guest"], table)
            else:
                row: dict[str, Any] = {}
                for one in found.columns:
                    if one.name == column:
                        row[one.name] = ids["guest"]
                    elif any(key.column.table.name == "users" for key in one.foreign_keys):
                        row[one.name] = ids["bob"]
                    elif one.name == "table_id":
                        row[one.name] = table
                    elif one.name == "deck_id":
                        row[one.name] = "decks-user_id"
                    elif (
                        (one.name == "id" and one.autoincrement is True)
                        or one.nullable
                        or one.server_default is not None
                    ):
                        continue
                    else:
                        row[one.name] = 7 if "INT" in str(one.type) else f"{name}-{column}"
                        row[one.name] = 7.0 if "DOUBLE" in str(one.type) else row[one.name]
                marks = ", ".join("?" for _ in row)
                tx.execute(f"INSERT INTO {name} ({', '.join(row)}) VALUES ({marks})", *row.values())
            planted.add((name, column))

    def named(tx: Tx) -> set[tuple[str, str]]:
        return {
            (name, column)
            for name, column in users_columns()
            if tx.rows(int, f"SELECT 1 FROM {name} WHERE {column} = ?", ids["guest"])
        }

    store = server.site.store
    server.run(store.transact(plant))
    assert server.run(store.read(named)) == planted == users_columns()
    login = ann.ok("GET", "/api/me")["login"]
    guest.ok("POST", "/api/session/sign-in", {"login": login, "password": PASSWORD})
    assert server.run(store.read(named)) == {("ratings", "user_id")}, "a guest has no rating"
    assert set(belongings.MOVED) <= users_columns()


# -- Everything exported ---------------------------------------------------------------------


def test_the_export_has_everything_of_ones_own_and_nothing_of_others(server: Running) -> None:
    ann, bob = member(server, "Ann Ownname"), member(server, "Bob Othername")
    table = ann.ok("POST", "/api/tables", PUBLIC)["id"]
    at = f"/api/tables/{table}"
    bob.ok("POST", f"{at}/join", {})
    people = {"A": ann, "B": bob}
    moves: dict[str, list[str]] = {"A": [], "B": []}
    for turn in range(4):
        (code,) = ann.ok("GET", at)["to_act"]
        version = people[code].ok("GET", at)["version"]
        moves[code].append(people[code].some_move(table, Random(turn)))
        people[code].play(table, moves[code][-1], version, f"{code}-own-{turn}")
    for client, who in ((ann, "Ann"), (bob, "Bob")):
        client.ok("POST", f"{at}/chat", {"text": f"chat of {who}"})
        client.ok("PUT", f"{at}/notes", {"text": f"notes of {who}"})
        client.ok("PATCH", "/api/me", {"zone": f"Europe/{ {'Ann': 'Rome', 'Bob': 'Oslo'}[who] }"})
    ann.ok("POST", f"/api/people/{id_of(bob)}/report", {"text": "report of Ann"})
    bob.ok("POST", f"/api/people/{id_of(ann)}/report", {"text": "report of Bob"})
    bob.ok("PUT", f"/api/me/shunned/{id_of(ann)}", {"kind": "mute"})
    ann_id = id_of(ann)
    server.run(
        server.site.store.transact(lambda tx: reliability.note(tx, ann_id, table, "late", 1))
    )
    bob.ok("POST", f"{at}/resign")
    answer = ann.ask("GET", "/api/me/export")
    assert "attachment" in answer.headers["content-disposition"]
    found = answer.json()
    text = answer.text
    for own in ("Ann Ownname", "chat of Ann", "notes of Ann", "Europe/Rome", "report of Ann"):
        assert own in text, own
    assert [move["text"] for move in found["moves"]] == moves["A"]
    assert [one["name"].partition("-")[0] for one in found["submissions"]] == ["A"] * len(
        moves["A"]
    )
    assert found["results"][0]["place"] == 1
    assert found["reliability"][0]["late"] == 1
    assert found["shunned"] == []
    for others in ("Othername", "chat of Bob", "notes of Bob", "Oslo", "report of Bob", "B-own"):
        assert others not in text, others
    assert "argon2" not in text
    for secret in dict(ann.http.cookies).values():
        assert secret not in text


def test_every_place_where_somebody_is_named_is_exported() -> None:
    """A new table with something of people's in it has to be thought of there too."""
    exported = " ".join(profile.EXPORTED.values())
    kept_back = {
        ("shunned", "other_id"),  # what others think of one
        ("reports", "about_id"),
        ("audit", "user_id"),  # acts of game masters and operators
        ("seats", "first_user_id"),  # in the results
        ("tables", "master_id"),
        ("tables", "next_master_id"),
    }
    for name, column in users_columns() - kept_back:
        assert f"FROM {name} " in exported, (name, column)


# -- Everything gone -------------------------------------------------------------------------


def test_a_deleted_account_leaves_only_what_was_played(server: Running) -> None:
    ann, bob = member(server, "Ann Vanishing"), server.client("Bob")
    ann.ok("POST", "/api/me/email", {"email": "ann@vanish.example", "password": PASSWORD})
    token = token_in(letters_to(server, "ann@vanish.example")[0])
    ann.ok("POST", "/api/me/email/confirm", {"token": token})
    ann_id, login = id_of(ann), ann.ok("GET", "/api/me")["login"]
    running_table, over, waiting, others = (
        client.ok("POST", "/api/tables", PUBLIC)["id"] for client in (ann, ann, ann, bob)
    )
    shared = {**PUBLIC, "hot_seat": True, "seats": [{"kind": "me"}, {"kind": "me", "name": "X"}]}
    hot = ann.ok("POST", "/api/tables", shared)["id"]
    for table in (running_table, over):
        bob.ok("POST", f"/api/tables/{table}/join", {})
        ann.ok("POST", f"/api/tables/{table}/chat", {"text": "a word from Ann"})
        ann.ok("PUT", f"/api/tables/{table}/notes", {"text": "a note of Ann's"})
    bob.ok("POST", f"/api/tables/{over}/resign")
    slow = bob.ok("POST", "/api/tables", {**PUBLIC, "starts_when_full": False})["id"]
    ann.ok("POST", f"/api/tables/{slow}/join", {})
    record = bob.ok("GET", f"/api/tables/{over}/log")
    assert bob.ok("GET", f"/api/tables/{over}")["seats"][0]["name"] == "Ann Vanishing"
    wrong = {"password": "not it at all"}
    assert ann.refused("POST", "/api/me/delete", wrong) == (403, "password")
    with ann.live(others) as live:
        frame(live)
        ann.ok("POST", "/api/me/delete", {"password": PASSWORD})
        frame(live, "gone")
    assert ann.refused("GET", "/api/me") == (401, "no-session")
    states = {
        table: bob.ok("GET", f"/api/tables/{table}")["state"]
        for table in (running_table, over, waiting, slow, hot)
    }
    assert list(states.values()) == ["over", "over", "aborted", "waiting", "over"]
    assert bob.ok("GET", f"/api/tables/{running_table}")["outcome"]["reason"] == "resign"
    assert bob.ok("GET", f"/api/tables/{slow}")["seats"][1]["kind"] == "empty"
    for table in (running_table, over):
        seats = bob.ok("GET", f"/api/tables/{table}")["seats"]
        assert seats[0]["name"] == names.FORMER
    assert bob.ok("GET", f"/api/tables/{over}/log") == record, "what was played stays"
    assert "a word" not in json.dumps(bob.ok("GET", f"/api/tables/{over}/chat"))
    assert "Vanishing" not in bob.ok("GET", f"/api/tables/{over}/record")
    assert bob.refused("GET", f"/api/people/{ann_id}") == (404, "missing")
    for body in (login, "ann@vanish.example"):
        body = {"login": body, "password": PASSWORD}
        assert server.client().refused("POST", "/api/session/sign-in", body)[0] == 403

    def everything(tx: Tx) -> str:
        names = [table.name for table in metadata.sorted_tables]
        return str([tx.rows(tuple, f"SELECT * FROM {name}") for name in names])

    text = server.run(server.site.store.read(everything))
    for gone in ("Vanishing", "vanish.example", login, "a word from", "a note of"):
        assert gone not in text, gone
    # The address and the name are free for whoever comes next.
    account = {"login": login, "password": PASSWORD, "name": "Ann"}
    server.client().ok("POST", "/api/session/sign-up", account)


def test_no_earlier_name_is_left(server: Running) -> None:
    """Not in a log, a record, a table, the audit log, chat, letters or complaints."""
    ann, bob = member(server, "Oldname Vanished"), server.client("Bob")
    at_table = [ann.ok("POST", "/api/tables", PUBLIC)["id"] for _ in range(2)]
    first, second = (f"/api/tables/{table}" for table in at_table)
    for at in (first, second):
        bob.ok("POST", f"{at}/join", {})
    ann.ok("POST", f"{first}/chat", {"text": "hello"})
    bob.ok("POST", f"{first}/chat", {"text": "good evening, Oldname Vanished!"})
    bob.ok("POST", f"{first}/press", {"to": ["all"], "text": "Oldname Vanished plays well"})
    complaint = {"text": "Oldname Vanished was rude", "table": at_table[0]}
    bob.ok("POST", f"/api/people/{id_of(ann)}/report", complaint)
    bob.ok("POST", f"{second}/resign")
    ann.ok("PATCH", "/api/me", {"name": "Midname Vanished"})
    # Ann has taken a seat under that name once, and lost it again.
    ident = id_of(ann)

    def lose(tx: Tx) -> None:
        for ply, name in enumerate(("Midname Vanished", "Somebody"), 1):
            tx.execute(
                "INSERT INTO entries (table_id, ply, kind, seat, text, facts, at)"
                " VALUES (?, ?, 'seat', 0, ?, '[]', 1)",
                at_table[0],
                ply,
                name,
            )
        tx.execute(
            "UPDATE seats SET user_id = NULL, name = 'Somebody' WHERE table_id = ? AND seat = 0",
            at_table[0],
        )
        tx.execute(
            "INSERT INTO audit (table_id, user_id, act, detail, at) VALUES (?, ?, ?, ?, 1)",
            at_table[0],
            None,
            "hold",
            json.dumps({"why": "by Oldname Vanished"}),
        )
        subject = "press from A (Midname Vanished)"
        letter = "INSERT INTO sent_letters (name, reader, kind, subject, table_id, at)"
        tx.execute(f"{letter} VALUES ('m1', 'b@x.example', 'press', ?, ?, 1)", subject, at_table[0])

    server.run(server.site.store.transact(lose))
    ann.ok("PATCH", "/api/me", {"name": "Newname Vanished"})
    assert ident
    ann.ok("POST", "/api/me/delete", {"password": PASSWORD})

    def everything(tx: Tx) -> dict[str, str]:
        found = [table.name for table in metadata.sorted_tables]
        return {name: str(tx.rows(tuple, f"SELECT * FROM {name}")) for name in found}

    kept = server.run(server.site.store.read(everything))
    assert [name for name, text in kept.items() if "name Vanished" in text] == []
    for at in (first, second):
        for path in ("", "/log", "/record", "/chat", "/press", "/audit"):
            assert "Vanished" not in bob.ask("GET", f"{at}{path}").text, path
    assert names.FORMER in bob.ask("GET", f"{first}/log").text
    assert f"good evening, {names.FORMER}!" in bob.ask("GET", f"{first}/chat").text


def test_a_guest_can_go_too(server: Running) -> None:
    guest = server.client("Guest")
    guest.ok("POST", "/api/me/delete", {})
    assert guest.refused("GET", "/api/me") == (401, "no-session")
