"""What arrived before a deadline counts, also if it is judged after it: a deadline waits until the
mailbox was read, but not for ever."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from openplan.server.clock import DAY, HOUR, MINUTE
from openplan.server.notify import mailboxes
from openplan.server.notify.mailboxes import IgnoredMail
from openplan.server.ops.overview import health
from openplan.server.store import Tx
from tests.server.running import Running, VirtualClock
from tests.server.test_overdue import Table, serving
from tests.server.test_saved_is_not_ready import mail

Site = tuple[Running, VirtualClock]
BOX = "judge at mail.example, INBOX"


@pytest.fixture
def site(tmp_path: Path, store_url: str) -> Iterator[Site]:
    with serving(tmp_path, store_url) as pair:
        yield pair


def has_read(table: Table, at: int) -> None:
    def work(tx: Tx) -> None:
        mailboxes.use(tx, BOX)
        mailboxes.note_read(tx, BOX, at)

    table.server.run(table.server.site.store.transact(work))


def look(table: Table, micros: int) -> None:
    """So much later, whatever is due is looked at once."""
    table.clock.at += micros
    table.server.run(table.server.site.expire(table.id))


def second_turn(site: Site) -> Table:
    table = Table(*site, "cube-farm")
    table.send("S", "P", "T")
    has_read(table, table.clock.at)
    table.send("S", "P")
    return table


def test_a_deadline_waits_for_what_lies_in_the_mailbox(site: Site) -> None:
    table = second_turn(site)
    due = table.see()["duty"]["turn"]["due_at"]
    look(table, due - table.clock.at + 10 * MINUTE)
    assert table.see()["duty"]["turn"]["number"] == 2
    # It arrived a minute before the deadline and is judged after it.
    mail(table, "T", "nothing", number=2, at=due - MINUTE)
    assert table.kinds()[-1] == "adjudicate"
    assert table.see()["duty"]["turn"]["number"] == 3


def test_once_the_mailbox_is_read_the_deadline_is_entered(site: Site) -> None:
    table = second_turn(site)
    due = table.see()["duty"]["turn"]["due_at"]
    look(table, due - table.clock.at + MINUTE)
    assert table.kinds()[-1] == "move"
    has_read(table, due + 1)
    look(table, MINUTE)
    assert table.kinds()[-1] == "deadline"


def test_a_mailbox_that_stays_unreadable_is_not_waited_for_for_ever(site: Site) -> None:
    table = second_turn(site)
    due = table.see()["duty"]["turn"]["due_at"]
    look(table, due - table.clock.at + DAY - HOUR)
    assert table.kinds()[-1] == "move"
    # While it is waited for, orders from the page are taken too.
    table.send("P")
    look(table, 2 * HOUR)
    assert table.kinds()[-1] == "deadline"


def test_a_mailbox_that_was_never_read_is_not_waited_for(site: Site) -> None:
    table = Table(*site, "cube-farm")
    table.send("S", "P", "T")
    table.server.run(table.server.site.store.transact(lambda tx: mailboxes.use(tx, BOX)))
    table.send("S", "P")
    due = table.see()["duty"]["turn"]["due_at"]
    look(table, due - table.clock.at + MINUTE)
    assert table.kinds()[-1] == "deadline"


def test_a_server_that_starts_again_knows_how_far_its_mailbox_was_read(site: Site) -> None:
    table = Table(*site, "cube-farm")
    has_read(table, MINUTE)

    def work(tx: Tx) -> tuple[int, int, int | None] | None:
        mailboxes.note_place(tx, BOX, 5, 77)
        return mailboxes.use(tx, BOX)

    assert table.server.run(table.server.site.store.transact(work)) == (5, 77, MINUTE)


def test_what_arrived_too_late_is_too_late(site: Site) -> None:
    table = second_turn(site)
    due = table.see()["duty"]["turn"]["due_at"]
    has_read(table, due + 1)
    table.clock.at = due + MINUTE
    mail(table, "T", "nothing", number=2, at=due + MINUTE)
    assert table.kinds()[-1] == "deadline"


def test_mail_that_is_not_answered_is_listed_with_its_reason(site: Site) -> None:
    table = Table(*site, "cube-farm")
    mail(table, "S", "nothing")
    mail(table, "S", "nothing", again=True)
    found = table.server.run(table.server.site.store.read(mailboxes.ignored))
    (one,) = found
    assert one == IgnoredMail(f"<{table.id}-1@example.org>", "duplicate", table.clock.at)


def test_health_says_that_a_mailbox_cannot_be_read(site: Site) -> None:
    table = Table(*site, "cube-farm")
    has_read(table, table.clock.at)
    store = table.server.site.store
    assert table.server.run(store.read(lambda tx: health(tx, table.clock.at))).is_good
    for at in (1, 2):
        table.clock.at += at
        said = partial(mailboxes.note_trouble, name=BOX, why="refused", at=table.clock.at)
        table.server.run(store.transact(said))
    found = table.server.run(store.read(lambda tx: health(tx, table.clock.at)))
    assert not found.is_good
    (box,) = found.mailboxes
    assert (box.trouble, box.trouble_at) == ("refused", table.clock.at - 2)
    has_read(table, table.clock.at)
    assert table.server.run(store.read(lambda tx: health(tx, table.clock.at))).is_good
