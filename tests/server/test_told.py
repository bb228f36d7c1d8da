"""People are told of what happens at their tables, by the ways and as soon as they wish."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from icalendar import Calendar

from openplan.server.clock import DAY, HOUR, SECOND
from openplan.server.notify.outbox import LEASE
from openplan.server.notify.tellings import Telling, next_digest, post
from openplan.server.store import Tx, jobs
from openplan.server.tables.feeds import folded
from openplan.server.telling.teller import Teller
from tests.server.endpoints import LOOPBACK, Browser, Endpoint, endpoint
from tests.server.people import cheap_passwords, id_of, letters_to, member, text_of, token_in
from tests.server.running import Client, Running, VirtualClock, running

PLAIN = {
    "game": "human-resources",
    "public": True,
    "seats": [{"kind": "me"}, {"kind": "open"}],
    "clock": {"kind": "days", "days": 3},
}


def wait_until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


class Town:
    """Two people at a table, and somebody elsewhere who is told."""

    def __init__(self, server: Running, clock: VirtualClock, there: Endpoint) -> None:
        self.server, self.clock, self.there = server, clock, there
        self.ann, self.bob = member(server, "Ann"), member(server, "Bob")
        self.browser = Browser(f"{there.address}/push/1")

    def begin(self) -> str:
        table: str = self.ann.ok("POST", "/api/tables", PLAIN)["id"]
        self.bob.ok("POST", f"/api/tables/{table}/join", {})
        return table

    def move(self, table: str) -> Client:
        """Whoever is to move does; who is to move now."""
        both = [self.ann, self.bob]
        for client, other in (both, both[::-1]):
            sight = client.ok("GET", f"/api/tables/{table}")
            if sight["you"] in sight["to_act"]:
                move = client.some_move(table, Random(1))
                client.play(table, move, sight["version"], f"s{sight['version']}")
                after = other.ok("GET", f"/api/tables/{table}")
                return other if after["you"] in after["to_act"] else self.move(table)
        raise AssertionError("nobody is to move")

    def until_turn_of(self, who: Client, table: str) -> None:
        """The next move makes it this person's turn."""
        sight = who.ok("GET", f"/api/tables/{table}")
        if sight["you"] in sight["to_act"]:
            assert self.move(table) is not who

    def subscribe(self, who: Client) -> Any:
        return who.ok("POST", "/api/me/pushes", self.browser.subscription)

    def hook(self, who: Client, kind: str, secret: str = "", path: str = "/hook") -> Any:
        wish = {"kind": kind, "address": self.there.address + path, "secret": secret}
        return who.ok("PUT", "/api/me/hook", wish)

    def wish(self, who: Client, **wishes: Any) -> None:
        known = who.ok("GET", "/api/me")["wishes"]
        who.ok("PATCH", "/api/me", {"wishes": {**known, **wishes}})

    def carry(self) -> int:
        return self.server.run(self.server.site.teller.carry())

    def read(self, sql: str) -> list[tuple[Any, ...]]:
        return self.server.run(self.server.site.store.read(lambda tx: tx.rows(tuple, sql)))

    def waiting(self) -> int:
        return len(self.read("SELECT id FROM outbox WHERE kind = 'telling'"))


@pytest.fixture
def town(tmp_path: Path, store_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Town]:
    """A site that tells when the test says so, and not by itself."""

    async def idle(_self: Teller) -> None:
        return

    monkeypatch.setattr(Teller, "run", idle)
    clock = VirtualClock()
    with cheap_passwords(), endpoint() as there:
        with running(tmp_path, database=store_url, now=clock, outgoing=LOOPBACK) as server:
            yield Town(server, clock, there)


# -- Pushes ----------------------------------------------------------------------------------


def test_a_push_says_whose_turn_it_is_to_one_browser_alone(town: Town) -> None:
    table = town.begin()
    town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)
    town.move(table)
    assert town.carry() == 1
    (got,) = town.there.got
    assert (got.method, got.path) == ("POST", "/push/1")
    assert got.headers["content-encoding"] == "aes128gcm"
    assert got.headers["ttl"] == "86400"
    assert got.headers["authorization"].startswith("vapid t=")
    told = town.browser.read(got.body)
    assert told["title"] == "Your turn"
    assert told["body"].startswith("Human Resources, game 1. Due 20")
    assert (told["link"], told["tag"]) == (f"/table/{table}", table)
    assert b"Human Resources" not in got.body
    assert (town.carry(), town.waiting()) == (0, 0)


def test_a_german_reader_is_told_in_german(town: Town) -> None:
    table = town.begin()
    town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)
    town.bob.ok("PATCH", "/api/me", {"language": "de", "zone": "Europe/Berlin"})
    town.move(table)
    town.carry()
    told = town.browser.read(town.there.got[0].body)
    assert told["title"] == "Du bist am Zug"
    assert "Spiel 1. Frist: " in told["body"]
    assert "Europe/Berlin" in told["body"]


def test_what_is_no_longer_so_is_not_told(town: Town) -> None:
    table = town.begin()
    town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)
    town.move(table)
    town.move(table)
    town.carry()
    assert town.there.got == []
    assert town.waiting() == 0


def test_a_browser_that_is_gone_is_forgotten(town: Town) -> None:
    table = town.begin()
    town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)
    town.there.answers = [410]
    town.move(table)
    town.carry()
    assert town.bob.ok("GET", "/api/me/told")["pushes"] == []
    assert town.waiting() == 0


def test_a_push_is_tried_again_until_it_is_of_no_use(town: Town) -> None:
    table = town.begin()
    town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)
    town.there.answers = [503, 429, 201]
    town.move(table)
    for tries in (1, 2, 3):
        assert town.carry() == 1
        assert town.carry() == 0, "not again at once"
        assert len(town.there.got) == tries
        town.clock.go_on(60)
    assert town.waiting() == 0
    town.until_turn_of(town.bob, table)
    town.there.answers = [500] * 99
    town.move(table)
    town.carry()
    town.clock.go_on(DAY // SECOND + 1)
    town.carry()
    assert town.waiting() == 0


def test_a_browser_tells_who_is_signed_in_there(town: Town) -> None:
    """Who comes after somebody at one browser is not told what that one is, nor the other way."""
    table = town.begin()
    town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)
    town.move(table)
    town.subscribe(town.ann)
    town.carry()
    assert town.there.got == []
    assert town.bob.ok("GET", "/api/me/told")["pushes"] == []


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"endpoint": "https://10.0.0.1/x"}, 409),
        ({"endpoint": "nonsense"}, 409),
        ({"keys": {"p256dh": "AAAA", "auth": "AAAA"}}, 422),
        ({"keys": {"p256dh": "B" + "A" * 86, "auth": "A" * 22}}, 422),
        ({"keys": {"p256dh": "ä", "auth": "ä"}}, 422),
    ],
)
def test_what_is_no_browser_is_refused(change: dict[str, Any], status: int, town: Town) -> None:
    found = town.ann.ask("POST", "/api/me/pushes", {**town.browser.subscription, **change})
    assert found.status_code == status, found.text


def test_only_ones_own_browsers_are_forgotten(town: Town) -> None:
    push = town.subscribe(town.bob)["id"]
    assert town.ann.refused("DELETE", f"/api/me/pushes/{push}") == (404, "missing")
    town.bob.ok("DELETE", f"/api/me/pushes/{push}")
    assert town.bob.ok("GET", "/api/me/told")["pushes"] == []


# -- Hooks -----------------------------------------------------------------------------------


def test_plain_json_is_signed(town: Town) -> None:
    table = town.begin()
    town.until_turn_of(town.bob, table)
    secret = town.hook(town.bob, "json")["secret"]
    town.move(table)
    town.carry()
    (got,) = town.there.got
    assert got.json["what"] == "turn"
    assert got.json["table"] == table
    assert got.json["text"] == "Human Resources, game 1. " + got.json["text"].partition(". ")[2]
    assert got.json["link"].endswith(f"/table/{table}")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    name, at = got.headers["webhook-id"], got.headers["webhook-timestamp"]
    mark = hmac.new(key, f"{name}.{at}.".encode() + got.body, hashlib.sha256).digest()
    assert got.headers["webhook-signature"] == f"v1,{base64.b64encode(mark).decode()}"


def test_the_shapes_of_others(town: Town) -> None:
    table = town.begin()
    town.hook(town.bob, "discord")
    town.bob.ok("POST", "/api/me/told/try")
    town.carry()
    town.hook(town.bob, "slack")
    town.bob.ok("POST", "/api/me/told/try")
    town.carry()
    room = "/_matrix/client/v3/rooms/!a:b/send/m.room.message"
    town.hook(town.bob, "matrix", "token", path=room)
    town.bob.ok("POST", "/api/me/told/try")
    town.carry()
    discord, slack, matrix = town.there.got
    said = "It works: This is how Open Plan will tell you.\n"
    assert discord.json["content"].startswith(said)
    assert discord.json["allowed_mentions"] == {"parse": []}
    assert slack.json["text"].startswith(said)
    assert (matrix.method, matrix.headers["authorization"]) == ("PUT", "Bearer token")
    assert matrix.path.startswith(f"{room}/")
    assert matrix.json == {"msgtype": "m.notice", "body": discord.json["content"]}
    assert table


def test_a_matrix_server_hears_a_thing_once(town: Town) -> None:
    """What is sent again has the same name."""
    town.hook(town.bob, "matrix", "token", path="/_matrix/client/x")
    town.there.answers = [500]
    town.bob.ok("POST", "/api/me/told/try")
    town.carry()
    town.clock.go_on(60)
    town.carry()
    assert len({got.path for got in town.there.got}) == 1
    assert len(town.there.got) == 2


def test_its_owner_sees_why_a_hook_is_not_reached(town: Town) -> None:
    town.hook(town.bob, "json")
    for status, trouble in ((302, "status 302"), (403, "status 403"), (200, None)):
        town.there.answers = [status]
        town.bob.ok("POST", "/api/me/told/try")
        town.carry()
        assert town.bob.ok("GET", "/api/me/told")["hook"]["trouble"] == trouble
        assert town.waiting() == 0, "not tried again"
    assert [got.path for got in town.there.got] == ["/hook"] * 3, "no redirect was followed"


def test_a_table_tells_what_everybody_may_know(town: Town) -> None:
    table: str = town.ann.ok("POST", "/api/tables", PLAIN)["id"]
    hook = {"kind": "json", "address": f"{town.there.address}/table"}
    assert town.bob.refused("PUT", f"/api/tables/{table}/hook", hook) == (403, "host")
    assert town.bob.refused("GET", f"/api/tables/{table}/hook") == (403, "host")
    town.ann.ok("PUT", f"/api/tables/{table}/hook", hook)
    town.bob.ok("POST", f"/api/tables/{table}/join", {})
    town.move(table)
    town.ann.ok("POST", f"/api/tables/{table}/resign")
    while town.carry():
        pass
    told = [(got.json["what"], got.json["text"]) for got in town.there.got]
    assert told[0] == ("table-begun", "The game has begun.")
    assert told[1][0] == "table-turn"
    assert told[1][1] in ("It is the turn of Ann.", "It is the turn of Bob.")
    assert told[-1] == ("table-over", "The game is over; Bob won.")
    town.ann.ok("DELETE", f"/api/tables/{table}/hook")
    assert town.ann.ok("GET", f"/api/tables/{table}/hook") is None


def test_a_name_makes_no_link_and_calls_nobody(town: Town) -> None:
    """In what others show of it."""
    town.ann.ok("PATCH", "/api/me", {"name": "[x](http://y.example) <@1>"})
    for kind in ("discord", "slack"):
        table: str = town.ann.ok("POST", "/api/tables", PLAIN)["id"]
        hook = {"kind": kind, "address": f"{town.there.address}/{kind}"}
        town.ann.ok("PUT", f"/api/tables/{table}/hook", hook)
        town.bob.ok("POST", f"/api/tables/{table}/join", {})
        town.until_turn_of(town.ann, table)
        town.move(table)
    while town.carry():
        pass
    for got in town.there.got:
        text = got.json.get("content") or got.json["text"]
        assert "<@" not in text.replace("\\<@", "")
        assert "](http" not in text if got.path == "/discord" else "<" not in text
    assert any("y.example" in got.body.decode() for got in town.there.got)


def test_a_guest_has_no_hook(town: Town) -> None:
    guest = town.server.client("Guest")
    wish = {"kind": "json", "address": town.there.address}
    assert guest.refused("PUT", "/api/me/hook", wish) == (403, "guest")


# -- How soon --------------------------------------------------------------------------------


def test_never_for_all_or_for_one_table(town: Town) -> None:
    table, other = town.begin(), town.begin()
    town.subscribe(town.bob)
    for one in (table, other):
        town.until_turn_of(town.bob, one)
    town.bob.ok("PUT", f"/api/tables/{table}/wishes", {"push": "never"})
    town.there.got.clear()
    town.server.run(town.server.site.store.transact(lambda tx: tx.execute("DELETE FROM outbox")))
    for one in (table, other):
        town.move(one)
    town.carry()
    (got,) = town.there.got
    assert town.browser.read(got.body)["tag"] == other
    town.wish(town.bob, push="never")
    town.bob.ok("PUT", f"/api/tables/{table}/wishes", {"push": "now"})
    for one in (table, other):
        town.until_turn_of(town.bob, one)
        town.move(one)
    town.carry()
    assert [town.browser.read(got.body)["tag"] for got in town.there.got] == [other, table]


def test_of_what_one_does_not_want_to_hear_nothing_is_told(town: Town) -> None:
    table = town.begin()
    town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)
    town.wish(town.bob, turn=False)
    town.move(table)
    assert town.waiting() == 0


def test_once_a_day_comes_all_of_it_at_once(town: Town) -> None:
    tables = [town.begin(), town.begin()]
    for table in tables:
        town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)
    town.wish(town.bob, push="daily")
    for table in tables:
        town.move(table)
    assert (town.carry(), town.waiting()) == (0, 1)
    (due,) = town.read("SELECT due_at FROM outbox WHERE kind = 'telling'")[0]
    assert due == next_digest(town.clock(), "UTC")
    town.clock.at = due
    assert town.carry() == 1
    assert town.carry() == 1
    (got,) = town.there.got
    told = town.browser.read(got.body)
    assert told["title"] == "Your games today"
    lines = told["body"].splitlines()
    assert lines[0] == "2 games wait for you."
    assert sorted(line.partition(". Due")[0] for line in lines[1:]) == [
        "Your turn: Human Resources, game 1",
        "Your turn: Human Resources, game 2",
    ]
    assert town.waiting() == 0


def test_the_daily_news_come_by_mail_too(town: Town) -> None:
    table = town.begin()
    town.bob.ok("POST", "/api/me/email", {"email": "bob@x.example", "password": "a long phrase"})
    token = token_in(letters_to(town.server, "bob@x.example")[0])
    town.bob.ok("POST", "/api/me/email/confirm", {"token": token})
    town.until_turn_of(town.bob, table)
    town.wish(town.bob, mail="daily")
    town.move(table)
    town.clock.at = next_digest(town.clock(), "UTC")
    assert town.carry() == 1
    letter = letters_to(town.server, "bob@x.example", 2)[1]
    assert letter["Subject"] == "Your games today"
    assert "One game waits for you." in text_of(letter)
    assert "Your turn: Human Resources, game 1. Due" in text_of(letter)
    assert letter["List-Unsubscribe"]


def test_a_morning_is_one_by_the_readers_clock() -> None:
    noon = 1_700_049_600_000_000  # 2023-11-15 12:00 UTC
    assert next_digest(noon, "UTC") == noon + 20 * 3600 * SECOND
    assert next_digest(noon, "America/Los_Angeles") == noon + 4 * 3600 * SECOND
    assert next_digest(noon, "Europe/Berlin") == noon + 19 * 3600 * SECOND


def test_who_is_at_the_table_is_not_told(town: Town) -> None:
    table = town.begin()
    town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)
    with town.bob.live(table) as live:
        live.recv(20)
        live.send("here")
        wait_until(lambda: town.read("SELECT * FROM presence"))
        town.move(table)
        assert town.waiting() == 0
        town.until_turn_of(town.bob, table)
        live.send("away")
        wait_until(lambda: not town.read("SELECT * FROM presence"))
        town.move(table)
        assert town.waiting() == 1
        live.send("here")
        wait_until(lambda: town.read("SELECT * FROM presence"))
    wait_until(lambda: not town.read("SELECT * FROM presence"))


def test_nor_by_mail(town: Town) -> None:
    table = town.begin()
    town.bob.ok("POST", "/api/me/email", {"email": "bob@y.example", "password": "a long phrase"})
    token = token_in(letters_to(town.server, "bob@y.example")[0])
    town.bob.ok("POST", "/api/me/email/confirm", {"token": token})
    town.until_turn_of(town.bob, table)
    with town.bob.live(table) as live:
        live.send("here")
        wait_until(lambda: town.read("SELECT * FROM presence"))
        town.move(table)
        assert town.read("SELECT * FROM outbox WHERE kind = 'letter'") == []
    wait_until(lambda: not town.read("SELECT * FROM presence"))
    town.until_turn_of(town.bob, table)
    town.move(table)
    assert len(letters_to(town.server, "bob@y.example", 2)) == 2


def test_who_has_done_nothing_for_long_is_told(town: Town) -> None:
    """A page that was left open at night is nobody at the table."""
    table = town.begin()
    town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)
    with town.bob.live(table) as live:
        live.send("here")
        wait_until(lambda: town.read("SELECT * FROM presence"))
        town.clock.go_on(121)
        town.move(table)
        assert town.waiting() == 1


# -- What waits ------------------------------------------------------------------------------


def test_what_is_due_first_waits_first(town: Town) -> None:
    late, later = town.begin(), town.begin()
    for table in (late, later):
        town.until_turn_of(town.bob, table)
        town.move(table)
        town.clock.go_on(3600)
    found = town.bob.ok("GET", "/api/me/waiting")
    assert [one["table"] for one in found] == [late, later]
    assert found[0]["due_at"] < found[1]["due_at"]
    assert found[0]["title"] == "Human Resources"
    assert town.ann.ok("GET", "/api/me/waiting") == []
    assert town.server.client().refused("GET", "/api/me/waiting") == (401, "no-session")


# -- Kept, and not kept ----------------------------------------------------------------------


def test_whoever_dies_with_a_telling_leaves_it_to_the_next(town: Town) -> None:
    town.subscribe(town.bob)
    town.bob.ok("POST", "/api/me/told/try")
    now = town.clock()

    def take(tx: Tx) -> list[Any]:
        return jobs.claim(tx, "telling", now=now, lease_for=LEASE)

    assert len(town.server.run(town.server.site.store.transact(take))) == 1
    assert town.carry() == 0
    town.clock.go_on(LEASE // SECOND)
    assert town.carry() == 1
    assert len(town.there.got) == 1


def test_nothing_is_told_of_what_was_not_kept(town: Town) -> None:
    table = town.begin()
    town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)

    def work(tx: Tx) -> None:
        telling = Telling(what="news", channel="push", at=0, to=id_of(town.bob), table=table)
        post(tx, telling)
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        town.server.run(town.server.site.store.transact(work))
    body = {"move": "nonsense", "version": 0, "submission": "x"}
    for client in (town.ann, town.bob):
        assert not client.ask("POST", f"/api/tables/{table}/moves", body).is_success
    assert (town.waiting(), town.carry()) == (0, 0)


def test_a_telling_of_another_version_waits(town: Town) -> None:
    def work(tx: Tx) -> None:
        payload = {"what": "telepathy", "channel": "mind", "at": town.clock()}
        jobs.add(tx, "telling", "new", payload, now=town.clock())

    town.server.run(town.server.site.store.transact(work))
    town.subscribe(town.bob)
    town.bob.ok("POST", "/api/me/told/try")
    town.carry()
    assert len(town.there.got) == 1, "it holds up no other"
    assert town.waiting() == 1


def test_a_deleted_account_is_told_nothing(town: Town) -> None:
    table = town.begin()
    town.until_turn_of(town.bob, table)
    town.subscribe(town.bob)
    town.hook(town.bob, "json")
    town.move(table)
    assert town.waiting() == 2
    address = town.bob.ok("POST", "/api/me/calendar")["address"]
    path = address.partition("//")[2].partition("/")[2]
    town.bob.ok("POST", "/api/me/delete", {"password": "a long phrase"})
    assert town.carry() == 0
    assert town.ann.ask("GET", f"/{path}").status_code == 404


# -- Calendar and feed -----------------------------------------------------------------------


def calendar_of(client: Client, address: str) -> Any:
    answer = client.http.get("/" + address.partition("//")[2].partition("/")[2])
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n"))
    assert b"\n" not in answer.content.replace(b"\r\n", b"")
    return Calendar.from_ical(answer.text)


def test_deadlines_are_in_a_calendar_and_move_there(town: Town) -> None:
    table = town.begin()
    address = town.bob.ok("POST", "/api/me/calendar")["address"]
    town.until_turn_of(town.bob, table)
    stranger = town.server.client()
    assert list(calendar_of(stranger, address).walk("VEVENT")) == []
    town.move(table)
    (event,) = calendar_of(stranger, address).walk("VEVENT")
    due = town.bob.ok("GET", "/api/me/waiting")[0]["due_at"]
    assert event.start.timestamp() == due // SECOND
    assert event["SEQUENCE"] == 0
    began, read = event["LAST-MODIFIED"].dt, event["DTSTAMP"].dt
    assert began <= read
    assert str(event["URL"]).endswith(f"/table/{table}")
    town.clock.at += HOUR
    town.ann.ok("POST", f"/api/tables/{table}/master/deadline", {"due_at": due + DAY})
    (moved,) = calendar_of(stranger, address).walk("VEVENT")
    assert moved["UID"] == event["UID"]
    assert moved["SEQUENCE"] > event["SEQUENCE"]
    assert moved.start.timestamp() == (due + DAY) // SECOND
    # Read again it is the same, made later.
    town.clock.at += HOUR
    (again,) = calendar_of(stranger, address).walk("VEVENT")
    assert began < moved["LAST-MODIFIED"].dt == again["LAST-MODIFIED"].dt < again["DTSTAMP"].dt
    assert moved["DTSTAMP"].dt < again["DTSTAMP"].dt
    town.move(table)
    assert list(calendar_of(stranger, address).walk("VEVENT")) == []


def test_the_address_of_a_calendar_is_taken_back(town: Town) -> None:
    first = town.bob.ok("POST", "/api/me/calendar")["address"]
    assert town.bob.ok("GET", "/api/me/told")["calendar"] == first
    second = town.bob.ok("POST", "/api/me/calendar")["address"]
    path = "/calendar/" + first.rpartition("/")[2]
    assert first != second
    assert town.bob.ask("GET", path).status_code == 404
    assert calendar_of(town.ann, second)["VERSION"] == "2.0"
    town.bob.ok("DELETE", "/api/me/calendar")
    assert town.bob.ask("GET", "/calendar/" + second.rpartition("/")[2]).status_code == 404
    for made_up in (id_of(town.bob), f"{id_of(town.bob)}.", f"{id_of(town.bob)}.{'0' * 32}", "x"):
        assert town.ann.ask("GET", f"/calendar/{made_up}").status_code == 404
    assert town.bob.ok("GET", "/api/me/told")["calendar"] is None


def test_long_lines_are_folded_between_characters() -> None:
    line = "SUMMARY:" + "äöü€🎲" * 40
    parts = folded(line).split("\r\n")
    assert all(len(part.encode()) <= 75 for part in parts)
    assert parts[0] + "".join(part[1:] for part in parts[1:]) == line
    assert {part[0] for part in parts[1:]} == {" "}


def test_a_feed_of_a_public_table(town: Town) -> None:
    from xml.etree import ElementTree as ET

    table = town.begin()
    town.move(table)
    town.clock.go_on(60)
    town.move(table)
    answer = town.server.client().ask("GET", f"/table/{table}/feed.atom")
    assert answer.headers["content-type"] == "application/atom+xml"
    name = "{http://www.w3.org/2005/Atom}"
    feed = ET.fromstring(answer.text)
    entries = feed.findall(f"{name}entry")
    assert len(entries) >= 2
    times = [one.findtext(f"{name}updated") or "" for one in entries]
    assert times == sorted(times, reverse=True)
    assert feed.findtext(f"{name}updated") == times[0]
    ids = {one.findtext(f"{name}id") for one in entries}
    assert len(ids) == len(entries)
    told = town.server.client().ok("GET", f"/api/tables/{table}/log")["entries"]
    assert [one.findtext(f"{name}title") for one in reversed(entries)] == [
        one["text"] for one in told
    ]


def test_a_private_table_has_no_feed(town: Town) -> None:
    table = town.ann.ok("POST", "/api/tables", {**PLAIN, "public": False})["id"]
    assert town.ann.ask("GET", f"/table/{table}/feed.atom").status_code == 404
    assert town.ann.ask("GET", "/table/missing/feed.atom").status_code == 404


# -- A leak would show -----------------------------------------------------------------------


def test_a_letter_in_full_is_not_in_a_push(town: Town) -> None:
    """Only that there is one."""
    table = town.ann.ok("POST", "/api/tables", {**PLAIN, "press": {"rule": "signed"}})["id"]
    town.bob.ok("POST", f"/api/tables/{table}/join", {})
    town.subscribe(town.bob)
    town.wish(town.bob, message=True, turn=False)
    seat = town.bob.ok("GET", f"/api/tables/{table}")["you"]
    sent = {"to": [seat], "text": "the plan is a secret"}
    town.ann.ok("POST", f"/api/tables/{table}/press", sent)
    assert "secret" not in json.dumps(town.read("SELECT payload FROM outbox WHERE kind='telling'"))
    town.carry()
    told = town.browser.read(town.there.got[-1].body)
    assert told["title"] == "A letter for you"
    assert "secret" not in json.dumps(told)


def test_sealed_orders_that_come_in_are_told_to_nobody(town: Town) -> None:
    """Or else when they came would be known."""
    cy = member(town.server, "Cy")
    wish = {**PLAIN, "game": "cube-farm", "seats": [{"kind": "me"}, *[{"kind": "open"}] * 2]}
    table = town.ann.ok("POST", "/api/tables", wish)["id"]
    hook = {"kind": "json", "address": f"{town.there.address}/table"}
    town.ann.ok("PUT", f"/api/tables/{table}/hook", hook)
    for number, client in enumerate((town.ann, town.bob, cy)):
        far = Browser(f"{town.there.address}/push/{number}")
        client.ok("POST", "/api/me/pushes", far.subscription)
    for client in (town.bob, cy):
        client.ok("POST", f"/api/tables/{table}/join", {})
    assert town.carry() > 0
    while town.carry():
        pass
    before = len(town.there.got)
    for client in (town.ann, town.bob):
        sight = client.ok("GET", f"/api/tables/{table}")
        move = client.some_move(table, Random(1))
        body = {"move": move, "version": sight["version"], "submission": "s", "ready": True}
        client.ok("POST", f"/api/tables/{table}/moves", body)
        assert town.waiting() == 0
    sight = cy.ok("GET", f"/api/tables/{table}")
    body = {"move": cy.some_move(table, Random(1)), "version": sight["version"]}
    cy.ok("POST", f"/api/tables/{table}/moves", {**body, "submission": "s", "ready": True})
    while town.carry():
        pass
    told = [got for got in town.there.got[before:] if got.path == "/table"]
    assert [got.json["what"] for got in told] == ["table-turn"]
    assert len(town.there.got) == before + 4, "all three, and the table's hook"
