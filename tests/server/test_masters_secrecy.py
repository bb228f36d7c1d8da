"""A game master gets the same bytes whatever is in the hands and sealed: every act that there is is
tried on two truths, with its answer, the frame it makes, and all that can be looked at after it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from openplan.core.game import Illegal
from openplan.core.match import Match
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.tables import game_master
from tests.probes import games, new_match, play_on, probe_of
from tests.server.masters import MEANT, master_routes
from tests.server.people import cheap_passwords, id_of, member
from tests.server.running import VirtualClock, running
from tests.server.wire import Bench

pytestmark = pytest.mark.xdist_group("server-secrecy")

LOOKS = ("", "/log", "/record", "/press", "/audit", "/chat", "/at/0", "/master/preview")
Act = tuple[str, str, Any]


class Led(Bench):
    """The bench's table, led by somebody who does not play."""

    def lead(self) -> None:
        self.master = member(self._server, "Master")
        lead = "UPDATE tables SET master_id = ?, master_invite = NULL WHERE id = ?"
        led_by = id_of(self.master)
        self._server.run(
            self._server.site.store.transact(lambda tx: tx.execute(lead, led_by, self.table))
        )
        self._as_it_was = self._rows()

    def _rows(self) -> list[dict[str, Any]]:
        select = "SELECT seat, user_id, bot, name, is_open, reported_ply FROM seats"
        read = self._server.site.store.read
        return self._server.run(
            read(lambda tx: tx.rows(dict, f"{select} WHERE table_id = ?", self.table))
        )

    def told(self, match: Match, act: Act) -> dict[str, str]:
        """All that reaches the master by this act, and after it."""

        def put_back(tx: Tx) -> None:
            for row in self._as_it_was:
                where = {"table_id": self.table, "seat": row["seat"]}
                tx.change("seats", where, {k: v for k, v in row.items() if k != "seat"})
            for name in ("press", "snapshots"):
                tx.execute(f"DELETE FROM {name} WHERE table_id = ?", self.table)
            again = "UPDATE tables SET state = 'playing', master_invite = NULL WHERE id = ?"
            tx.execute(again, self.table)

        self._server.run(self._server.site.store.transact(put_back))
        self._plant(match, waits=False)
        method, path, body = act
        out = {}
        with self.master.live(self.table) as live:
            out["first frame"] = str(live.recv(20))
            answer = self.master.ask(method, path.replace("{table}", self.table), body)
            out["answer"] = f"{answer.status_code} {answer.text}"
            frames: list[str] = []
            try:
                while len(frames) < 9:
                    frames.append(str(live.recv(0.15)))
            except TimeoutError:
                pass
            out["frames"] = "\n".join(frames[-1:])
        for look in LOOKS:
            answer = self.master.ask("GET", f"/api/tables/{self.table}{look}")
            headers = [f"{k}: {v}" for k, v in answer.headers.items() if k != "date"]
            out[look] = "\n".join([str(answer.status_code), *headers, answer.text])
        return {name: self._masked(text, match) for name, text in out.items()}

    def _masked(self, text: str, match: Match) -> str:
        """Without the new invitation, which is random."""
        return re.sub(r'"master_invite":"[^"]*"', "", super()._masked(text, match))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Led]:
    (game,) = [game for game in games() if game.name == "cube-farm"]
    clock = VirtualClock()
    with cheap_passwords(), running(tmp_path_factory.mktemp("site"), now=clock) as server:
        led = Led(server, clock, game)
        led.lead()
        yield led


def truths(bench: Led, seed: str, *, sent: bool) -> Iterator[tuple[Match, Match]]:
    """Two that a spectator cannot tell apart who also knows who has sent orders; at least two seats
    are waited for, so that nothing is opened by what a master does but by PROCESS."""
    for number in range(60):
        rng = Random(f"{seed} {number}")
        match = new_match(bench.game, rng)
        play_on(match, rng, rng.randrange(4, 12))
        if match.outcome is not None or len(match.awaited) < (2 if sent else 3):
            continue
        if sent and len(match.awaited) == 3:
            continue
        other = probe_of(bench.game).other_truth(match, None, rng)
        if other is not None and other.deal != match.deal and other.awaited == match.awaited:
            yield match, other


def acts(match: Match) -> Iterator[Act]:
    """Every act; orders for every seat, with cards from all over the deck."""
    for method, path in master_routes():
        word = path.rpartition("/")[2]
        if word == "orders":
            for seat, code in enumerate(match.game.seats):
                for card in match.deck.cards[seat :: len(match.deck.cards) // 2]:
                    yield (
                        method,
                        path,
                        {"seat": code, "orders": f"1: card {card} N2\n2: employee N1"},
                    )
        elif word == "eject":
            for code in match.game.seats:
                yield method, path, {"seat": code, "then": "open"}
                yield method, path, {"seat": code, "then": "nothing"}
        elif word != "process":
            yield method, path, MEANT[word] if method == "POST" else None


def differing(
    bench: Led, pairs: Iterator[tuple[Match, Match]], count: int, tried: Callable[[Match], Any]
) -> list[Any]:
    found, done = [], set()
    for _, (match, other) in zip(range(count), pairs, strict=False):
        for act in tried(match):
            ours, theirs = bench.told(match, act), bench.told(other, act)
            found += [(act, name) for name in ours if ours[name] != theirs[name]]
            if ours["answer"].startswith("20"):
                done.add(act[1])
    assert done, "nothing was done"
    return found


def test_no_act_of_a_master_tells_of_hands_or_sealed_orders(bench: Led) -> None:
    assert differing(bench, truths(bench, "acts", sent=True), 1, acts) == []


def test_carrying_out_a_turn_tells_of_no_hand(bench: Led) -> None:
    """Where nothing is sealed nothing is opened."""

    def process(match: Match) -> Iterator[Act]:
        turn = match.game.turn_number(match.view(None))
        (route,) = [one for one in master_routes() if one[1].endswith("/process")]
        yield (*route, {"turn": turn})

    assert differing(bench, truths(bench, "process", sent=False), 3, process) == []


def refusing(real: Callable[..., Any], match: Match, seat: Any, wanted: Any) -> Any:
    """Orders that cannot be carried out are refused, as a player's own would be."""
    kept, lost = real(match, seat, wanted)
    if lost:
        raise refused(Illegal, "orders-for", "no-orders")
    return kept, lost


def telling(real: Callable[..., Any], *arguments: Any, **detail: Any) -> Any:
    """The audit log says what was entered as it was held."""
    tx, here = arguments[0], arguments[1]
    last = "SELECT text FROM entries WHERE table_id = ? ORDER BY ply DESC LIMIT 1"
    held = tx.row(str, last, here.id)
    return real(*arguments, **detail, held=json.dumps(held))


@pytest.mark.parametrize(("name", "leak"), [("_what_fits", refusing), ("_done", telling)])
def test_a_planted_leak_is_caught(
    name: str, leak: Callable[..., Any], bench: Led, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = getattr(game_master, name)
    monkeypatch.setattr(game_master, name, lambda *a, **k: leak(real, *a, **k))

    def orders(match: Match) -> Iterator[Act]:
        yield from (act for act in acts(match) if act[1].endswith("/orders"))

    assert differing(bench, truths(bench, "acts", sent=True), 2, orders)
