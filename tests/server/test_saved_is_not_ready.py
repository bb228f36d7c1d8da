"""Orders that are saved count at the deadline; a turn is carried out early only if every seat is
ready or complete, and never while a seat's last mail had refused lines."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from openplan.core.game import Seat
from openplan.mail.inbound.mailbox import Received
from openplan.mail.inbound.tokens import SEAT, Claim, make_token
from openplan.server.clock import DAY, HOUR
from openplan.server.store import Tx
from openplan.server.tables.access import table_name
from tests.server.running import Running, VirtualClock
from tests.server.test_overdue import Table, serving

Site = tuple[Running, VirtualClock]


@pytest.fixture
def site(tmp_path: Path, store_url: str) -> Iterator[Site]:
    with serving(tmp_path, store_url) as pair:
        yield pair


def save(table: Table, code: str, *, move: str = "", ready: bool | None = False) -> Any:
    client = table.people[code]
    table.sent += 1
    body = {
        "move": move or client.some_move(table.id, table.rng),
        "version": client.ok("GET", table.at)["version"],
        "submission": f"s{table.sent}",
    }
    if ready is not None:
        body["ready"] = ready
    return client.ok("POST", f"{table.at}/moves", body)


def card(table: Table, code: str) -> str:
    """A card for the first phase and no employee."""
    client = table.people[code]
    while True:
        first: str = client.some_move(table.id, table.rng).partition(";")[0]
        if first.startswith("1: card"):
            return first.partition(" employee")[0].rstrip(",")


def states(table: Table, by: str) -> list[str | None]:
    return [seat["orders"] for seat in table.see(by)["seats"]]


def turn_of(table: Table) -> int:
    number: int = table.see()["duty"]["turn"]["number"]
    return number


def test_saved_orders_wait_for_ready(site: Site) -> None:
    table = Table(*site, "cube-farm")
    for code in "SPT":
        save(table, code)
    assert turn_of(table) == 1
    for code in "SP":
        table.people[code].ok("POST", f"{table.at}/ready", {})
    assert turn_of(table) == 1
    table.people["S"].ok("DELETE", f"{table.at}/ready")
    table.people["T"].ok("POST", f"{table.at}/ready", {})
    assert turn_of(table) == 1
    table.people["S"].ok("POST", f"{table.at}/ready", {})
    assert turn_of(table) == 2
    assert table.kinds()[-1] == "adjudicate"


def test_saved_orders_count_at_the_deadline(site: Site) -> None:
    table = Table(*site, "cube-farm")
    for code in "SPT":
        save(table, code, move=card(table, code))
    table.pass_time(2 * DAY - 1)
    assert table.kinds() == 3 * ["move"]
    table.pass_time(HOUR)
    assert table.kinds() == [*3 * ["move"], "deadline"]
    # What was said of one turn says nothing of the next.
    assert states(table, "S") == ["missing", None, None]


def test_ready_is_for_who_has_orders(site: Site) -> None:
    table = Table(*site, "cube-farm")
    ready = f"{table.at}/ready"
    assert table.people["S"].refused("POST", ready, {}) == (409, "nothing-ready")
    outsider = table.server.client("Outsider")
    assert outsider.refused("POST", ready, {})[0] == 403
    office = Table(*site, "human-resources")
    (code,) = office.see()["to_act"]
    assert office.people[code].refused("POST", f"{office.at}/ready", {}) == (409, "no-wait")


def test_other_orders_are_not_ready_by_themselves(site: Site) -> None:
    table = Table(*site, "cube-farm")
    save(table, "S", ready=True)
    save(table, "S", ready=False)
    save(table, "P", ready=True)
    save(table, "T", ready=True)
    assert turn_of(table) == 1
    save(table, "S", ready=None)  # who said to wait still waits
    assert turn_of(table) == 1
    save(table, "S", ready=True)
    assert turn_of(table) == 2


def test_seats_show_it_where_the_table_shows_who_has_sent(site: Site) -> None:
    table = Table(*site, "cube-farm", house={"show-sent": "yes"})
    save(table, "S", ready=True)
    save(table, "P")
    assert states(table, "T") == ["ready", "saved", "missing"]
    assert table.server.client("Watcher").ok("GET", table.at)["seats"][1]["orders"] == "saved"


def test_nobody_sees_who_is_ready_where_the_table_does_not_show_it(site: Site) -> None:
    table = Table(*site, "cube-farm")
    watcher = table.server.client("Watcher")
    before = [table.see("P"), table.see("T"), watcher.ok("GET", table.at)]
    move = card(table, "S")

    def others() -> list[Any]:
        return [table.see("P"), table.see("T"), watcher.ok("GET", table.at)]

    save(table, "S", move=move)
    assert others() == before
    assert states(table, "S") == ["saved", None, None]
    table.people["S"].ok("POST", f"{table.at}/ready", {})
    assert others() == before
    assert states(table, "S") == ["ready", None, None]
    table.people["S"].ok("DELETE", f"{table.at}/ready")
    assert others() == before


def test_alone_with_bots_there_is_no_deadline_to_save_for(site: Site) -> None:
    server, _ = site
    ann = server.client("Ann")
    bots = [{"kind": "me"}, *2 * [{"kind": "bot", "bot": "random"}]]
    at = f"/api/tables/{ann.ok('POST', '/api/tables', {'game': 'cube-farm', 'seats': bots})['id']}"
    move = {"move": "nothing", "version": 0, "submission": "a", "ready": False}
    assert ann.refused("POST", f"{at}/moves", move) == (409, "no-wait")
    assert ann.ok("GET", at)["duty"]["turn"] is None


# -- By mail ---------------------------------------------------------------------------------


def mail(
    table: Table,
    code: str,
    text: str,
    number: int = 1,
    *,
    at: int | None = None,
    again: bool = False,
) -> None:
    """A letter in answer to the form of a turn; the same once more, if it comes `again`."""

    def token(tx: Tx) -> str:
        (user,) = tx.rows(
            str,
            "SELECT user_id FROM seats WHERE table_id = ? AND seat = ?",
            table.id,
            "SPT".index(code),
        )
        tx.execute("UPDATE users SET email = ? WHERE id = ?", f"{code}@example.org".lower(), user)
        claim = Claim(table_name(tx, table.id), SEAT, Seat("SPT".index(code)), number)
        return make_token(table.server.site.secret, claim, user)

    shown = table.server.run(table.server.site.store.transact(token))
    table.sent += not again
    message = EmailMessage()
    message["From"] = f"{code}@example.org"
    message["To"] = "orders@games.example"
    message["Message-ID"] = f"<{table.id}-{table.sent}@example.org>"
    message.set_content(f"BEGIN {shown}\n{text}\nEND\n")
    received = Received(message.as_bytes(), at=at)
    table.server.run(table.server.site.inbox.receive(received))


def test_by_mail_only_complete_orders_or_ready_carry_out_early(site: Site) -> None:
    table = Table(*site, "cube-farm")
    for code in "SP":
        save(table, code, ready=True)
    mail(table, "T", card(table, "T"))
    assert (turn_of(table), states(table, "T")[2]) == (1, "saved")
    # An employee could still be ordered for the first phase.
    mail(table, "T", "2: nothing\n3: nothing")
    assert turn_of(table) == 1
    mail(table, "T", "READY")
    assert turn_of(table) == 2


def test_nothing_in_so_many_words_is_complete(site: Site) -> None:
    table = Table(*site, "cube-farm")
    for code in "SP":
        save(table, code, ready=True)
    mail(table, "T", "1: nothing\n2: nothing")
    assert (turn_of(table), states(table, "T")[2]) == (1, "saved")
    mail(table, "T", "3: nothing")
    assert turn_of(table) == 2


def test_a_mail_with_refused_lines_makes_nobody_ready(site: Site) -> None:
    table = Table(*site, "cube-farm")
    for code in "SP":
        save(table, code, ready=True)
    mail(table, "T", "nothing\n2: card nobody-has-this at E2\nREADY")
    assert (turn_of(table), states(table, "T")[2]) == (1, "saved")
    # Saying that it is what was meant is enough, and so is a mail that is understood.
    mail(table, "T", "what is this")
    assert turn_of(table) == 1
    mail(table, "T", "READY")
    assert turn_of(table) == 2


def test_not_ready_holds_complete_orders_back(site: Site) -> None:
    table = Table(*site, "cube-farm")
    for code in "SP":
        save(table, code, ready=True)
    mail(table, "T", "nothing\nNOT READY")
    assert turn_of(table) == 1
    mail(table, "T", "not ready\nready")
    assert turn_of(table) == 2


def test_a_mail_of_an_old_turn_makes_nobody_unready(site: Site) -> None:
    table = Table(*site, "cube-farm")
    table.send("S", "P", "T")
    assert turn_of(table) == 2
    save(table, "T", ready=True)
    mail(table, "T", card(table, "T"), number=1)
    assert states(table, "T")[2] == "ready"
