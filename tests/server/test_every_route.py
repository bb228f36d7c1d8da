"""Every route of the description, asked by everybody in every state of a match, well and badly:
each answer has its code, and none is a fault of the program."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from openplan.server.ops import replay
from openplan.server.store import Tx
from tests.server.running import Client, Running, frame, running

OWN = "SELECT rules_version, deck_hash FROM tables WHERE id = ?"
STATES = ("waiting", "playing", "paused", "over", "aborted")
REFUSALS = {401, 403, 404, 405, 409, 413, 415, 422}
HOSTILE: list[Any] = [
    None,
    {},
    [],
    "text",
    7,
    {"nobody": "knows this"},
    {"move": None, "version": "one", "submission": 3},
    {"move": "\u0000", "version": 0, "submission": "a b"},
    {"move": "x" * 3000, "version": -1, "submission": ""},
    {"text": "\u202e \u0007", "name": "\n", "number": 10**30},
    {"steps": ["\ud7ff", "", "A"], "kind": "nothing"},
    {"seat": "Z", "invite": "\u00e9" * 90},
    {"login": "a\u0000b", "password": "x" * 300, "name": ""},
    {"game": "chess"},
    {"game": "human-resources", "deck": "../../etc/passwd"},
    {"game": "human-resources", "deck_text": "[" * 50_000},
    {"game": "human-resources", "deck_text": "x" * 70_000},
    {"game": "human-resources", "deck_text": "a." * 30_000 + "b = 1"},
    {"game": "human-resources", "house": {"promo": "maybe"}},
    {"game": "human-resources", "clock": {"kind": "live", "bank": 1}},
    {"game": "human-resources", "seats": [{"kind": "bot", "bot": "deep"}] * 2},
    {"game": "human-resources", "seats": [{"kind": "me"}]},
    {"game": "human-resources", "seats": [{"kind": "me", "name": "\n"}] * 2, "hot_seat": True},
    {"game": "human-resources", "take_back": "always"},
]
RAW = [
    b"",
    b"{",
    b"\xff\xfe",
    b'{"text": "\\ud800"}',
    b"[" * 3000,
    b"NaN",
    b'{"text":"' + b"x" * 300_000 + b'"}',
]
MEANT: dict[str, Any] = {
    "/join": {},
    "/moves": {"move": "draw", "version": 0, "submission": "s"},
    "/options": {"steps": []},
    "/why": {"move": "draw"},
    "/preview": {"move": "draw"},
    "/take-back": {"number": 1},
    "/roll-back": {"number": 1},
    "/decline": {"kind": "draw"},
    "/chat": {"text": "hello"},
    "/notes": {"text": "mine"},
    "/draft": {"text": "half", "at": 1},
    "/seen": {"entry": 1, "turn": 0},
    "/wait": {"waits": True},
    "/standby": {"is_on": True},
    "/invite": {"email": "somebody@example.org"},
    "/play-on": {"seat": "A"},
    "/again": {"entry": 1},
    "/review/try": {"entry": 1, "move": "place P05d E2"},
    "/process": {"turn": 1},
    "/deadline": {"due_at": 1},
    "/eject": {"seat": "B"},
    "/seat": {"seat": "B"},
    "/orders": {"seat": "B", "orders": "1: card 9 N2"},
    "/agree": {"agrees": True},
    "/announce": {"text": "hear"},
    "/hand-over": {},
    "/accept": {"invite": "no"},
    "/press": {"to": ["all"], "text": "hello"},
    "/wishes": {"mail": "daily"},
    "/hook": {"kind": "json", "address": "https://example.org/hook"},
}


def meant_for(path: str) -> Any:
    """By the end of a path; two parts of it, where one would do for another route too."""
    *_, before, last = path.split("/")
    return MEANT.get(f"/{before}/{last}") or MEANT.get(f"/{last}")


IDS = ("missing", "%00", "..%2f..", "%F0%9F%8E%B2", "a" * 300, "' OR 1=1 --")


@pytest.fixture(scope="module")
def server(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site"), database=site_url) as site:
        yield site


@pytest.fixture(scope="module")
def routes(server: Running) -> list[tuple[str, str]]:
    """Method and path of everything that is described."""
    described = server.client().ok("GET", "/openapi.json")
    described = json.loads(described) if isinstance(described, str) else described
    found = [
        (method.upper(), path)
        for path, methods in described["paths"].items()
        for method in methods
        if method in ("get", "post", "put", "patch", "delete")
    ]
    assert len(found) > 35
    return found


def table_in(state: str, ann: Client, bob: Client) -> str:
    wish = {"game": "human-resources", "public": True}
    table: str = ann.ok("POST", "/api/tables", wish)["id"]
    at = f"/api/tables/{table}"
    if state == "aborted":
        ann.ok("POST", f"{at}/abort")
    elif state != "waiting":
        bob.ok("POST", f"{at}/join", {})
        people = {"A": ann, "B": bob}
        for turn in range(2):
            (code,) = ann.ok("GET", at)["to_act"]
            mover = people[code]
            version = mover.ok("GET", at)["version"]
            mover.play(table, mover.some_move(table, Random(turn)), version, f"m{turn}")
        if state == "paused":
            ann.ok("POST", f"{at}/pause")
            bob.ok("POST", f"{at}/pause")
        elif state == "over":
            ann.ok("POST", f"{at}/resign")
    return table


def check(client: Client, method: str, path: str, **body: Any) -> int:
    answer = client.http.request(method, path, **body)
    status = answer.status_code
    assert status < 300 or status in REFUSALS, (method, path, str(body)[:200], answer.text)
    if status >= 300:
        refusal = answer.json()
        assert list(refusal) == ["code", "reason", "clause"]
        assert refusal["code"]
        assert refusal["reason"]
    for header in ("content-security-policy", "x-content-type-options", "referrer-policy"):
        assert header in answer.headers
    assert "server" not in answer.headers
    return status


@pytest.mark.parametrize("state", STATES)
def test_every_route_in_every_state_for_everybody(
    state: str, server: Running, routes: list[tuple[str, str]]
) -> None:
    ann, bob, cleo, nobody = (server.client(name) for name in ("Ann", "Bob", "Cleo", ""))
    table = table_in(state, ann, bob)
    for method, path in routes:
        if "{table}" not in path:
            continue
        for client in (nobody, cleo, bob, ann):
            full = path.replace("{table}", table).replace("{number}", "1")
            body = meant_for(path) if method in ("POST", "PUT") else None
            status = check(client, method, full, json=body)
            if client is nobody and method != "GET":
                assert status == 401, (method, path)
            if status < 300 and method == "POST":
                table = table_in(state, ann, bob)


def out_of_memory(server: Running, table: str) -> None:
    """As if nobody had looked; once the match is no longer brought up to date beside requests."""
    site = server.site

    async def settle() -> None:
        while site._bringing:  # noqa: ASYNC110 - each ends by itself
            await asyncio.sleep(0.01)

    server.run(settle())
    site.writers.forget(table)
    site.readers.forget(table)


def test_every_route_of_a_match_that_does_not_replay(
    server: Running, routes: list[tuple[str, str]]
) -> None:
    """Whoever comes upon it is told so, and nothing of what is wrong with it. Once somebody wants
    to change something there it is held, and seen without what cannot be shown."""
    ann, bob, cleo = (server.client(name) for name in ("Ann", "Bob", "Cleo"))
    table = table_in("playing", ann, bob)

    def spoil(tx: Tx) -> None:
        tx.execute("UPDATE entries SET text = 'nonsense' WHERE table_id = ? AND ply = 1", table)

    store = server.site.store
    server.run(store.transact(spoil))
    out_of_memory(server, table)
    at = f"/api/tables/{table}"
    assert cleo.refused("GET", at) == (409, "held")
    assert ann.refused("POST", f"{at}/moves", MEANT["/moves"]) == (409, "held")
    seen = ann.ok("GET", at)
    assert (seen["state"], seen["view"]) == ("held", None)
    for method, path in routes:
        if "{table}" in path:
            meant = meant_for(path)
            body = meant if method in ("POST", "PUT") else None
            full = path.replace("{table}", table).replace("{number}", "1")
            for client in (cleo, bob, ann):
                check(client, method, full, json=body)
                assert "nonsense" not in client.ask(method, full, body).text
    assert table_state(bob, table) == "held"
    with bob.live(table) as live:
        assert frame(live)["table"]["state"] == "held"
    (why,) = server.run(replay.replay_all(store, now=server.site.now())).differing.values()
    assert why == "entry 1 of 2 does not fit: Unreadable unreadable"


@pytest.mark.parametrize("frozen", ["rules_version = 99", "deck_hash = 'other'"])
def test_a_match_is_not_played_by_rules_or_cards_it_did_not_begin_with(
    frozen: str, server: Running
) -> None:
    """While a release is rolled out an old program meets matches of the new one. It does nothing
    there, and does not hold what the new one may well play."""
    ann, bob = server.client("Ann"), server.client("Bob")
    table = table_in("playing", ann, bob)
    at = f"/api/tables/{table}"
    own = server.run(server.site.store.read(lambda tx: tx.row(tuple[int, str], OWN, table)))
    assert own is not None

    def freeze(tx: Tx, to: str) -> None:
        tx.execute(f"UPDATE tables SET {to} WHERE id = ?", table)

    def forget() -> None:
        out_of_memory(server, table)

    server.run(server.site.store.transact(lambda tx: freeze(tx, frozen)))
    forget()
    for client in (ann, bob):
        assert client.refused("POST", f"{at}/moves", MEANT["/moves"]) == (409, "held")
        assert client.refused("POST", f"{at}/resign") == (409, "held")
        assert client.refused("GET", at) == (409, "held")
    back = f"rules_version = {own[0]}, deck_hash = '{own[1]}'"
    server.run(server.site.store.transact(lambda tx: freeze(tx, back)))
    forget()
    assert ann.ok("GET", at)["state"] == "playing"
    assert ann.ok("GET", at)["version"] == 2


def test_every_route_with_bad_bodies(server: Running, routes: list[tuple[str, str]]) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = table_in("playing", ann, bob)
    for method, path in routes:
        if method == "GET":
            continue
        full = path.replace("{table}", table).replace("{number}", "1")
        if full == "/api/session" and method == "DELETE":
            continue  # it would end what we ask with
        for body in HOSTILE:
            check(ann, method, full, json=body)
        for raw in RAW:
            check(ann, method, full, content=raw, headers={"Content-Type": "application/json"})
        answer = ann.http.request(method, full, content=b"x", headers={"Content-Type": "text/xml"})
        assert answer.status_code == 415
        if ann.ask("GET", "/api/me").status_code == 401 or path.startswith("/api/session"):
            ann = server.client("Ann")
        if table_state(ann, table) != "playing":
            table = table_in("playing", ann, bob)


def test_every_route_with_a_text_that_cannot_be_kept(
    server: Running, routes: list[tuple[str, str]]
) -> None:
    """NUL, which PostgreSQL has no place for, and what is no text at all, wherever one is asked
    for."""
    ann, bob = server.client("Ann"), server.client("Bob")
    table = table_in("playing", ann, bob)
    person = bob.ok("GET", "/api/me")["id"]
    for method, path in routes:
        meant: dict[str, Any] = meant_for(path) or {}
        meant = meant or MEANT_OF_PEOPLE.get(f"{method} {path}", {})
        full = path.replace("{table}", table).replace("{number}", "1").replace("{person}", person)
        for name in [name for name, value in meant.items() if isinstance(value, str)]:
            if method not in ("GET", "DELETE"):
                check(ann, method, full, json={**meant, name: "a\0b"})
                spoilt = json.dumps({**meant, name: "SPOILT"}).encode().replace(b"SPOILT", b"\xff")
                kind = {"Content-Type": "application/json"}
                assert check(ann, method, full, content=spoilt, headers=kind) == 422, full
    with pytest.raises(InvalidStatus) as missing, ann.live("missing"):
        pass
    for table, query in (("%00", ""), ("missing", "?invite=%00")):
        with pytest.raises(InvalidStatus) as refused, ann.live(table, query):
            pass
        assert refused.value.response.status_code == missing.value.response.status_code


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "there is no body"),
        (b"{", "truncated"),
        (b'{"move": x}', "(byte 9)"),
        (b'{"move": NaN, "version": 1, "submission": "s"}', "(byte 9)"),
        (b'{"move": "\xff", "version": 1, "submission": "s"}', "UTF-8"),
        (b"[" * 3000, "too deep"),
        (b'{"move": "a", "version": "a", "submission": "s"}', "version"),
        (b'{"move": "a", "version": 1}', "submission"),
    ],
)
def test_a_body_that_cannot_be_read_is_told_why(raw: bytes, reason: str, server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    path = f"/api/tables/{table_in('playing', ann, bob)}/moves"
    kind = {"Content-Type": "application/json"}
    answer = ann.http.post(path, content=raw, headers=kind)
    assert (answer.status_code, answer.json()["code"]) == (422, "unreadable")
    assert reason in answer.json()["reason"]


def table_state(client: Client, table: str) -> str:
    state: str = client.ok("GET", f"/api/tables/{table}")["state"]
    return state


def test_every_route_with_bad_ids_and_queries(
    server: Running, routes: list[tuple[str, str]]
) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = table_in("over", ann, bob)
    queries = ["?viewer=Z", "?viewer=%00", "?since=-1", "?since=x", "?invite=%00", "?nothing=1"]
    queries += ("?seat=A", "?seat=Z", "?seat=%00", "?seat=" + "A" * 30)
    for method, path in routes:
        if "{table}" not in path:
            continue
        for ident in IDS:
            full = path.replace("{table}", ident).replace("{number}", "1")
            body = meant_for(path) if method in ("POST", "PUT") else None
            assert check(ann, method, full, json=body) == 404, (method, full)
        if method == "GET":
            for query in queries:
                check(ann, "GET", path.replace("{table}", table).replace("{number}", "1") + query)
            for number in ("-1", "99999999999999999999", "x", "1.5"):
                check(ann, "GET", path.replace("{table}", table).replace("{number}", number))


MEANT_OF_PEOPLE: dict[str, Any] = {
    "POST /api/session": {"name": "Guest"},
    "POST /api/session/sign-up": {"email": "x@example.org", "password": "p" * 9, "name": "X"},
    "POST /api/session/sign-in": {"login": "nobody", "password": "wrong"},
    "POST /api/session/link": {"email": "x@example.org"},
    "POST /api/session/link/open": {"token": "a.b"},
    "POST /api/session/reset": {"email": "x@example.org"},
    "POST /api/session/reset/set": {"token": "a.b", "password": "p" * 9},
    "POST /api/me/password": {"old": "wrong", "new": "p" * 9},
    "POST /api/me/email": {"email": "x@example.org", "password": "wrong"},
    "POST /api/me/email/confirm": {"token": "a.b"},
    "POST /api/me/delete": {"password": "wrong"},
    "POST /api/me/absences": {"from_at": 1, "until_at": 2},
    "PATCH /api/me": {"zone": "UTC"},
    "PUT /api/me/shunned/{person}": {"kind": "mute"},
    "PUT /api/me/hook": {"kind": "json", "address": "https://example.org/hook"},
    "POST /api/me/pushes": {
        "endpoint": "https://push.example/1",
        "keys": {"p256dh": "BA", "auth": "AA"},
    },
    "POST /api/people/{person}/report": {"text": "rude"},
    "POST /api/me/decks": {"source": "blank", "game": "human-resources"},
}
# Whoever has no session yet may ask these; the rest of what is one's own is refused with 401.
WITHOUT_SESSION = ("POST /api/session", "POST /api/me/email/confirm")


def test_every_route_about_people_for_everybody(
    server: Running, routes: list[tuple[str, str]]
) -> None:
    other = server.client("Other").ok("GET", "/api/me")["id"]
    account = {"login": "every-route", "password": "p" * 9, "name": "Member"}
    server.client().ok("POST", "/api/session/sign-up", account)
    found = [
        (method, path)
        for method, path in routes
        if path.startswith(("/api/session", "/api/me", "/api/people", "/api/ratings"))
    ]
    assert len(found) > 25
    for method, path in found:
        body = MEANT_OF_PEOPLE.get(f"{method} {path}")
        for role in ("nobody", "guest", "member"):
            client = server.client("Guest" if role == "guest" else "")
            if role == "member":
                who = {name: account[name] for name in ("login", "password")}
                client.ok("POST", "/api/session/sign-in", who)
            for ident in (other, *IDS):
                full = ident.join(re.split(r"\{\w+\}", path))
                status = check(client, method, full, json=body)
                if "{" in path and ident != other:
                    assert status in (401, 404), (role, method, full)
                is_open = f"{method} {path}".startswith(WITHOUT_SESSION)
                is_ours = path.startswith("/api/me") or method not in ("GET", "POST")
                if role == "nobody" and not is_open and (is_ours or "report" in path):
                    assert status in (401, 404), (method, full)
                if full == path:
                    break


def test_a_hidden_table_and_a_missing_one_answer_alike(
    server: Running, routes: list[tuple[str, str]]
) -> None:
    ann, cleo = server.client("Ann"), server.client("Cleo")
    hidden = ann.ok("POST", "/api/tables", {"game": "human-resources"})["id"]
    missing = "m" * len(hidden)
    for method, path in routes:
        if "{table}" in path:
            body = meant_for(path) if method in ("POST", "PUT") else None
            answers = [
                cleo.ask(method, path.replace("{table}", ident).replace("{number}", "1"), body)
                for ident in (hidden, missing)
            ]
            assert [answer.status_code for answer in answers] == [404, 404], (method, path)
            assert answers[0].text == answers[1].text


def test_what_the_description_makes_up_is_never_a_fault(server: Running, tmp_path: Path) -> None:
    """Schemathesis reads the description and asks what it allows and what it does not."""
    ann, bob = server.client("Ann"), server.client("Bob")
    table = table_in("playing", ann, bob)
    cookies = "; ".join(f"{name}={value}" for name, value in ann.http.cookies.items())
    program = Path(sys.executable).with_name("schemathesis")
    arguments = ["run", f"http://{server.address}/openapi.json", "--checks=not_a_server_error"]
    arguments += ["--max-examples=4", "--phases=fuzzing", "--generation-database=none"]
    arguments += [
        "--exclude-path-regex=^/api/(session|me/delete|me/sessions)",
        "-H",
        f"Cookie: {cookies}",
    ]
    config = tmp_path / "schemathesis.toml"
    config.write_text(f'[parameters]\n"path.table" = "{table}"\n')
    run = subprocess.run(
        [program, f"--config-file={config}", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]
    assert " passed" in run.stdout


def test_health_readiness_and_metrics(server: Running) -> None:
    client = server.client()
    assert client.ok("GET", "/health")["status"] == "ok"
    assert client.ok("GET", "/ready") == {"status": "ok"}
    assert client.ask("GET", "/metrics").status_code == 404
    assert check(client, "GET", "/nothing/here") == 404
    assert check(client, "PUT", "/api/games", json={}) == 405


def test_metrics_are_for_whoever_has_the_token(tmp_path: Path) -> None:
    """Without it they are as missing as where there is none to show."""
    token = "a-secret-of-the-operator"
    with running(tmp_path, metrics_token=token) as server:
        client = server.client()
        missing = client.ask("GET", "/nothing/here")
        shows = ["", "Bearer", "Bearer a-secret-of-the-operatoR", token, f"Basic {token}", "é"]
        for shown in shows:
            answer = client.ask("GET", "/metrics", headers={"Authorization": shown.encode()})
            assert (answer.status_code, answer.text) == (404, missing.text), shown
        answer = client.ask("GET", "/metrics", headers={"Authorization": f"Bearer {token}"})
        assert answer.is_success
        assert "openplan_answers_total" in answer.text


def test_secure_cookies_behind_tls(tmp_path: Path) -> None:
    with running(tmp_path, secure=True, origins=("https://games.example",)) as server:
        client = server.client()
        ours = {"Origin": "https://games.example"}
        answer = client.ask("POST", "/api/session", {}, headers=ours)
        cookie = answer.headers["set-cookie"]
        for part in ("__Host-openplan=", "HttpOnly", "Secure", "SameSite=lax", "Path=/"):
            assert part in cookie
        assert "strict-transport-security" in answer.headers
        theirs = {"Origin": f"http://{server.address}"}
        assert client.ask("POST", "/api/session", {}, headers=theirs).status_code == 403
