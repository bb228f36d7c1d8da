"""The operator's page: who opens it, what it shows, and what it keeps closed."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner

from openplan.bots import bot_named
from openplan.cli.main import app as command
from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.mail.inbound.mailbox import Received
from openplan.mail.outbound.transport import Transport, Undelivered
from openplan.server.mailing.inbox import ASIDE, spool
from openplan.server.mailing.sender import note_bounce
from openplan.server.notify.letters import KINDS
from openplan.server.ops import operator
from openplan.server.store import Tx
from openplan.server.tables.access import load
from tests.ports import own_port
from tests.server.people import cheap_passwords, id_of, member
from tests.server.running import Client, Running, VirtualClock, running

ANN, BOB, CY = "ann@example.org", "bob@example.org", "cy@example.org"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with cheap_passwords(), running(tmp_path_factory.mktemp("site")) as site:
        yield site


def new_link(server: Running) -> str:
    """What follows # in a link, as the data folder's owner gets it."""
    link = server.run(operator.act_page(server.site, {}))
    address, _, token = link.partition("#")
    assert address.endswith("/operator")
    return token


def the_operator(server: Running) -> Client:
    client = server.client()
    client.ok("POST", "/api/operator/session", {"token": new_link(server)})
    return client


def lines(boss: Client, to: str = "", kind: str = "") -> list[dict[str, Any]]:
    found = boss.ok("GET", "/api/operator/letters")
    return [one for one in found if to in one["to"] and kind in one["kind"]]


def last(boss: Client, to: str, kind: str, *, after: int = 0) -> dict[str, Any]:
    """The newest letter of a kind to somebody that has been written, waited for."""
    end = time.monotonic() + 20
    while True:
        found = [one for one in lines(boss, to, kind) if one["state"] == "written"]
        if len(found) > after:
            return found[0]
        assert time.monotonic() < end, lines(boss)
        time.sleep(0.02)


def seen(boss: Client, letter: dict[str, Any]) -> dict[str, Any]:
    sight: dict[str, Any] = boss.ok("GET", f"/api/operator/letters/{letter['name']}")
    return sight


def answer(boss: Client, letter: dict[str, Any], text: str) -> dict[str, Any]:
    path = f"/api/operator/letters/{letter['name']}/answer"
    judged: dict[str, Any] = boss.ok("POST", path, {"text": text})
    return judged


# -- Who opens it ----------------------------------------------------------------------------


def test_a_link_opens_the_page_once_and_for_a_while(tmp_path: Path) -> None:
    clock = VirtualClock()
    with running(tmp_path, now=clock) as server:
        boss, other, link = server.client(), server.client(), new_link(server)
        boss.ok("POST", "/api/operator/session", {"token": link})
        assert boss.ok("GET", "/api/operator")["carries"] == "folder"
        assert other.refused("POST", "/api/operator/session", {"token": link}) == (403, "link")
        assert other.refused("GET", "/api/operator") == (404, "missing")

        late = new_link(server)
        clock.go_on(601)
        assert other.refused("POST", "/api/operator/session", {"token": late}) == (403, "link")
        clock.go_on(2 * 3600 - 700)
        boss.ok("GET", "/api/operator")
        clock.go_on(100)
        assert boss.refused("GET", "/api/operator") == (404, "missing")
        server.run(server.site.sweep())

        again = the_operator(server)
        kept = dict(again.http.cookies)
        again.ok("DELETE", "/api/operator/session")
        again.http.cookies.update(kept)
        assert again.refused("GET", "/api/operator") == (404, "missing"), "it is over here too"


def test_the_cookie_is_the_operators_alone(tmp_path: Path) -> None:
    ours = {"Origin": "https://games.example"}
    with running(tmp_path, secure=True, origins=("https://games.example",)) as server:
        body = {"token": new_link(server)}
        entered = server.client().ask("POST", "/api/operator/session", body, headers=ours)
        cookie = entered.headers["set-cookie"]
        for part in ("__Host-openplan-operator=", "HttpOnly", "Secure", "SameSite=strict"):
            assert part in cookie
        theirs = {"Origin": "https://evil.example"}
        body = {"token": new_link(server)}
        refused = server.client().ask("POST", "/api/operator/session", body, headers=theirs)
        assert refused.status_code == 403


def test_a_session_of_one_kind_is_nothing_to_the_other(server: Running) -> None:
    boss, ann = the_operator(server), server.client("Ann")
    ((_, operators),) = dict(boss.http.cookies).items()
    persons = ann.http.cookies["openplan"]
    swapped = server.client()
    swapped.http.cookies.update({"openplan-operator": persons, "openplan": operators})
    assert swapped.refused("GET", "/api/operator") == (404, "missing")
    assert swapped.refused("GET", "/api/me") == (401, "no-session")
    # A letter's link to sign in is no link to the page, whatever its mark.
    assert boss.refused("POST", "/api/session/link/open", {"token": new_link(server)})[0] == 403


def test_to_everybody_else_nothing_is_there(server: Running) -> None:
    """Every route of the page, for every role at a table: the same bytes as of what is missing."""
    master, guest, sal = member(server, "Mia"), server.client("Gus"), member(server, "Sal")
    wish = {"game": "cube-farm", "seats": [{"kind": "open"}] * 3, "public": True}
    table = master.ok("POST", "/api/tables", wish)["id"]
    sal.ok("POST", f"/api/tables/{table}/join", {})
    master.ok("POST", f"/api/tables/{table}/invite", {"email": "role@example.org"})
    boss = the_operator(server)
    name = last(boss, "role@example.org", "invitation")["name"]
    described = json.loads(server.client().ask("GET", "/openapi.json").text)["paths"]
    routes = [(method.upper(), path) for path in described for method in described[path]]
    routes = [one for one in routes if one[1].startswith("/api/operator")]
    assert len(routes) == 8
    bodies = {"answer": {"text": "HELP"}, "session": {"token": "a.b"}}
    for method, path in routes:
        full = path.replace("{name}", name).replace("{number}", "1")
        body = bodies.get(full.rpartition("/")[2]) if method == "POST" else None
        for client in (server.client(), guest, sal, master):
            refused = client.ask(method, full, body)
            if (method, path) == ("POST", "/api/operator/session"):
                assert refused.status_code == 403
            else:
                missing = client.ask("GET", "/api/people/nobody")
                assert (refused.status_code, refused.text) == (404, missing.text)
            assert name not in refused.text


def test_bad_requests_of_the_operator_are_refused_with_a_reason(server: Running) -> None:
    boss = the_operator(server)
    for ident in ("missing", "%00", "..%2f..%2fsecret", "%F0%9F%8E%B2", "a" * 300, "' OR 1=1 --"):
        for path in (f"/letters/{ident}", f"/letters/{ident}/html"):
            assert boss.refused("GET", f"/api/operator{path}") == (404, "missing")
        refused = boss.refused("POST", f"/api/operator/letters/{ident}/answer", {"text": "HELP"})
        assert refused == (404, "missing")
    for number in ("0", "-1", "99999999999999999999", "x"):
        assert boss.refused("POST", f"/api/operator/reports/{number}/close")[0] in (404, 409, 422)
    for query in ("?before=-1", "?before=x", f"?before={10**30}"):
        assert boss.refused("GET", f"/api/operator/letters{query}")[0] == 422
    for body in (None, {}, {"text": 3}, {"text": "x" * 60_000}, {"text": "", "more": 1}):
        assert boss.ask("POST", "/api/operator/letters/missing/answer", body).status_code == 422


def test_the_command_prints_a_link_with_and_without_a_server(tmp_path: Path) -> None:
    def printed() -> str:
        run = CliRunner().invoke(command, ["admin", "page", "--data", str(tmp_path)])
        assert run.exit_code == 0, run.output
        return run.output.strip().partition("#")[2]

    with running(tmp_path) as server:
        server.client().ok("POST", "/api/operator/session", {"token": printed()})
    token = printed()
    with running(tmp_path) as server:
        server.client().ok("POST", "/api/operator/session", {"token": token})


@pytest.mark.parametrize("at_a_terminal", [True, False])
def test_a_server_greets_with_a_link_at_a_terminal_alone(
    at_a_terminal: bool, tmp_path: Path
) -> None:
    """Anywhere else it would stand in a log."""
    port = own_port()
    ours, theirs = pty.openpty() if at_a_terminal else os.pipe()
    program = str(Path(sys.executable).with_name("openplan"))
    serve = [program, "serve", "--port", str(port)]
    process = subprocess.Popen(
        [*serve, "--data", str(tmp_path)], stdout=theirs, stderr=subprocess.DEVNULL
    )
    try:
        client = Client(f"127.0.0.1:{port}")
        wait_for(lambda: is_ready(client))
        said = os.read(ours, 65536).decode()
        assert "Open Plan at" in said
        if at_a_terminal:
            while "operator" not in said:
                said += os.read(ours, 65536).decode()
            found = re.search(r"/operator#(\S+)", said)
            assert found, said
            client.ok("POST", "/api/operator/session", {"token": found[1]})
        else:
            os.set_blocking(ours, False)
            with pytest.raises(BlockingIOError):
                os.read(ours, 65536)
            assert "operator" not in said
        client.http.close()
    finally:
        process.terminate()
        process.wait(20)
        os.close(ours)
        os.close(theirs)


def is_ready(client: Client) -> bool:
    try:
        return client.ask("GET", "/ready").is_success
    except httpx2.HTTPError:
        return False


# -- Letters ---------------------------------------------------------------------------------


class Table:
    """Cube Farm for three who have nothing but a mail program, which is the page."""

    def __init__(self, server: Running, boss: Client, *addresses: str) -> None:
        self.server, self.boss = server, boss
        self.master = member(server, "Mia")
        wish = {
            "game": "cube-farm",
            "seats": [{"kind": "open"}] * 3,
            "clock": {"kind": "days", "days": 3},
        }
        self.id: str = self.master.ok("POST", "/api/tables", wish)["id"]
        self.invite = self.master.ok("GET", f"/api/tables/{self.id}")["invite"]
        for address in addresses:
            self.master.ok("POST", f"/api/tables/{self.id}/invite", {"email": address})
            letter = last(boss, address, "invitation")
            form = seen(boss, letter)["form"]
            assert answer(boss, letter, form.replace("____", "JOIN"))["has_acted"]

    def match(self) -> Match:
        def work(tx: Tx) -> Match:
            place = load(tx, self.id, None)
            assert place is not None
            with self.server.site.readers.timed(tx, place.row) as timed:
                return timed.match

        return self.server.run(self.server.site.store.read(work))

    def orders(self, seat: Seat) -> str:
        match = self.match()
        move = bot_named("greedy").choose(match.game, match.view(seat), Random(1))
        return match.game.format_move(match.deck, move)

    def mailed(self, letter: dict[str, Any], name: str) -> str:
        """The letter's form with good orders in place of its blanks."""
        begin = seen(self.boss, letter)["form"].splitlines()[0]
        orders = self.orders(Seat(self.match().names.index(name)))
        return "\n".join([begin, *(part.strip() for part in orders.split(";")), "END"])

    def audit(self) -> list[str]:
        found = self.master.ok("GET", f"/api/tables/{self.id}/audit")["lines"]
        return [line["act"] for line in found]


def test_a_whole_turn_by_mail_with_nothing_but_the_page(tmp_path: Path, store_url: str) -> None:
    with cheap_passwords(), running(tmp_path, database=store_url) as server:
        boss = the_operator(server)
        table = Table(server, boss, ANN, BOB, CY)
        for address, name in ((ANN, "ann"), (BOB, "bob"), (CY, "cy")):
            letter = last(boss, address, "welcome")
            sight = seen(boss, letter)
            assert "Your hand" in sight["text"]
            answers = len(lines(boss, address, "answer"))
            assert answer(boss, letter, table.mailed(letter, name)) == {
                "silence": "",
                "has_acted": True,
            }
            told = seen(boss, last(boss, address, "answer", after=answers))
            assert sight["subject"] != told["subject"]
        assert [entry.kind for entry in table.match().log][-1] == "adjudicate"
        assert "What happened" in seen(boss, last(boss, ANN, "report"))["text"]
        # The seats can read that their letters were read here, and answered.
        assert {"operator-read", "operator-wrote"} <= set(table.audit())
        # Noise is answered too, or it is said why not.
        letter = last(boss, ANN, "report")
        assert answer(boss, letter, "thank you")["has_acted"] is False


def test_a_letter_as_html_runs_and_loads_nothing(server: Running) -> None:
    boss = the_operator(server)
    Table(server, boss, "h1@example.org", "h2@example.org", "h3@example.org")
    letter = last(boss, "h1@example.org", "welcome")
    page = boss.ask("GET", f"/api/operator/letters/{letter['name']}/html")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "allow-scripts" not in policy
    assert "allow-same-origin" not in policy
    assert "frame-ancestors 'self'" in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    pictures = re.findall(r'src="(data:image/png;base64,[A-Za-z0-9+/=]{400,})"', page.text)
    assert len(pictures) >= 3, "a picture for each floor"
    assert "cid:" not in page.text


def test_sealed_orders_stay_sealed(tmp_path: Path, store_url: str) -> None:
    """Sent on the site, they are in no byte of the page until the turn is over, and nobody can get
    at them there in their owner's name."""
    with cheap_passwords(), running(tmp_path, database=store_url) as server:
        boss = the_operator(server)
        table = Table(server, boss, ANN, BOB)
        cy = member(server, "Cy")
        cy.ok("POST", f"/api/tables/{table.id}/join", {"invite": table.invite})
        letter = last(boss, ANN, "welcome")
        ann = signed_in(server, boss, ANN)
        seat = Seat(table.match().names.index("ann"))
        orders = table.orders(seat)
        version = ann.ok("GET", f"/api/tables/{table.id}")["version"]
        ann.play(table.id, orders, version, "sealed")

        begin = seen(boss, letter)["form"].splitlines()[0]  # from before she sent anything
        path = f"/api/operator/letters/{letter['name']}/answer"
        before = len(lines(boss))
        for text in ("FORECAST", "STATUS", "1: nothing", "CLEAR", ""):
            body = {"text": f"{begin}\n{text}\nEND"}
            assert boss.refused("POST", path, body) == (403, "sealed")
        # Nor by her token in an answer to a letter of Bob's.
        bob = last(boss, BOB, "welcome")
        theirs = f"/api/operator/letters/{bob['name']}/answer"
        body = {"text": f"{begin}\nFORECAST\nEND"}
        assert boss.refused("POST", theirs, body) == (403, "sealed")
        assert len(lines(boss)) == before
        assert table.match().ply == 1

        # She asks for herself, by a real mail: the answer is written, and stays closed.
        mail = f"From: {ANN}\r\nMessage-ID: <1@example.org>\r\n\r\n{begin}\r\nFORECAST\r\nEND\r\n"
        server.run(server.site.inbox.receive(Received(mail.encode())))
        told = last(boss, ANN, "answer", after=1)
        for way in ("", "/html"):
            refused = boss.refused("GET", f"/api/operator/letters/{told['name']}{way}")
            assert refused == (403, "sealed")
        everything = (
            boss.ask("GET", "/api/operator").text + boss.ask("GET", "/api/operator/letters").text
        )
        phases = [part.strip() for part in orders.split(";")]
        assert len(phases) == 3
        assert not [phase for phase in phases if phase in everything]

        # When the turn is over it is as open as any other.
        text = table.mailed(bob, "bob")
        answer(boss, bob, text)
        number = table.match().names.index("Cy")
        version = cy.ok("GET", f"/api/tables/{table.id}")["version"]
        cy.play(table.id, table.orders(Seat(number)), version, "last")
        assert [entry.kind for entry in table.match().log][-1] == "adjudicate"
        assert "FORECAST" in seen(boss, told)["text"].upper()


def signed_in(server: Running, boss: Client, address: str) -> Client:
    """By the link in a letter, as the page shows it."""
    client, before = server.client(), len(lines(boss, address, "sign-in"))
    client.ok("POST", "/api/session/link", {"email": address})
    text = seen(boss, last(boss, address, "sign-in", after=before))["text"]
    found = re.search(r"/letter/sign-in#(\S+)", text)
    assert found, text
    client.ok("POST", "/api/session/link/open", {"token": found[1]})
    return client


class Carrier(Transport):
    async def send(self, mail: bytes, sender: str, recipient: str, message_id: str) -> None:
        if recipient == BOB:
            raise Undelivered("550 nobody", for_good=True)
        if recipient == CY:
            raise Undelivered("busy")


def test_where_mail_is_carried_no_letter_can_be_read(tmp_path: Path) -> None:
    with cheap_passwords(), running(tmp_path) as server:
        server.site.sender.transport = Carrier()
        boss, somebody = the_operator(server), server.client()
        for address in (ANN, BOB, CY):
            somebody.ok("POST", "/api/session/link", {"email": address})

        def states() -> dict[str, str]:
            return {line["to"]: line["state"] for line in lines(boss)}

        wait_for(lambda: states() == {ANN: "sent", BOB: "failed", CY: "retrying"})
        assert boss.ok("GET", "/api/operator")["carries"] == "smtp"
        (letter,) = lines(boss, ANN)
        for method, path, body in (
            ("GET", "", None),
            ("GET", "/html", None),
            ("POST", "/answer", {"text": "HELP"}),
        ):
            at = f"/api/operator/letters/{letter['name']}{path}"
            assert boss.refused(method, at, body) == (409, "carried")
        (failed,) = lines(boss, BOB)
        assert failed["trouble"] == "550 nobody"
        assert [queue["retrying"] for queue in boss.ok("GET", "/api/operator")["queues"]] == [1]
        # One that comes back later has failed too.
        server.run(
            server.site.store.transact(
                lambda tx: note_bounce(tx, letter["name"], "5.1.1 unknown", 0)
            )
        )
        assert states()[ANN] == "failed"


def wait_for(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_why_mail_does_not_arrive_is_told_until_it_does(server: Running) -> None:
    boss, address = the_operator(server), "bounced@example.org"
    table = Table(server, boss, address)
    client = signed_in(server, boss, address)
    letter = last(boss, address, "answer")
    note = lambda tx: note_bounce(tx, letter["name"], "5.1.1 unknown", 0)  # noqa: E731
    server.run(server.site.store.transact(note))
    assert client.ok("GET", "/api/me")["mail_trouble"] == "bounced: 5.1.1 unknown"
    exported = client.ok("GET", "/api/me/export")
    assert exported["account"][0]["mail_trouble"] == "bounced: 5.1.1 unknown"
    assert "answer" in [one["kind"] for one in exported["letters"]]
    client = signed_in(server, boss, address)
    assert client.ok("GET", "/api/me")["mail_trouble"] is None
    assert table.id


def test_the_page_has_words_for_every_kind_of_letter() -> None:
    words = (Path(__file__).parents[2] / "web/src/operator/words.ts").read_text()
    for kind in (*KINDS, "result"):
        assert words.count(f'"kind.{kind}":') == 2, f"{kind}: English and German"


# -- How the site does -----------------------------------------------------------------------


def test_reports_deadlines_and_queues(server: Running) -> None:
    boss, ann, bob = the_operator(server), member(server, "Ann"), member(server, "Bob")
    ann.ok("POST", f"/api/people/{id_of(bob)}/report", {"text": "<b>rude</b>"})
    wish = {"game": "human-resources", "clock": {"kind": "days", "days": 3}}
    table = ann.ok("POST", "/api/tables", wish)["id"]
    invite = ann.ok("GET", f"/api/tables/{table}")["invite"]
    bob.ok("POST", f"/api/tables/{table}/join", {"invite": invite})
    seen = boss.ok("GET", "/api/operator")
    assert seen["is_good"]
    assert seen["laid_aside"] == 0
    spool(server.site.settings.data / ASIDE, b"a mail on which this program failed")
    assert boss.ok("GET", "/api/operator")["laid_aside"] == 1
    assert table in [one["table"] for one in seen["deadlines"]]
    (report,) = [one for one in seen["reports"] if one["about"] == id_of(bob)]
    assert (report["by_name"], report["about_name"]) == ("Ann", "Bob")
    assert report["text"] == "<b>rude</b>"
    at = f"/api/operator/reports/{report['number']}/close"
    boss.ok("POST", at)
    assert boss.refused("POST", at) == (409, "report")
    assert report not in boss.ok("GET", "/api/operator")["reports"]
