"""A game master gets the same bytes whatever is in the hands and sealed: every act that there is is
tried on two truths, with its answer, the frame it makes, and all that can be looked at after it. So
is what players do under the master's eyes: save, be ready, be not ready."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from openplan.bots import RandomBot
from openplan.core.game import Illegal, Seat
from openplan.core.match import Match
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.tables import game_master, turns
from tests.probes import games, new_match, play_on, probe_of
from tests.server.masters import MEANT, master_routes
from tests.server.people import cheap_passwords, id_of, member
from tests.server.running import VirtualClock, running
from tests.server.wire import Bench

pytestmark = pytest.mark.xdist_group("server-secrecy")

LOOKS = (
    *("", "/log", "/record", "/press", "/audit", "/chat", "/at/0"),
    *("/master/preview", "/master/calendar", "/draft", "/review"),
)
PAIRS = 3
of_every_game = pytest.mark.parametrize(
    "bench", games(), ids=lambda game: game.name, indirect=True, scope="module"
)
of_sealed_games = pytest.mark.parametrize(
    "bench",
    [game for game in games() if game.sealed],
    ids=lambda game: game.name,
    indirect=True,
    scope="module",
)
"""Where orders are sealed there is more to be told of."""
Act = tuple[str, str, Any]
Steps = tuple[tuple[Seat | None, Act], ...]
"""Acts in a row, each by a seat or by the master."""


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

    def told(self, match: Match, steps: Steps) -> dict[str, str]:
        """All that reaches the master by these acts, and after them."""

        def put_back(tx: Tx) -> None:
            for row in self._as_it_was:
                where = {"table_id": self.table, "seat": row["seat"]}
                tx.change("seats", where, {k: v for k, v in row.items() if k != "seat"})
            for name in ("press", "snapshots", "chat"):
                tx.execute(f"DELETE FROM {name} WHERE table_id = ?", self.table)
            tx.execute("DELETE FROM outbox WHERE ident = ?", self.table)
            again = "UPDATE tables SET state = 'playing', master_invite = NULL WHERE id = ?"
            tx.execute(again, self.table)

        self._server.run(self._server.site.store.transact(put_back))
        self._plant(match, waits=False)
        out = {}
        with self.master.live(self.table) as live:
            out["first frame"] = str(live.recv(20))
            for seat, (method, path, body) in steps:
                who = self.master if seat is None else self._seated[seat]
                asked = self._saved(match, seat) if seat is not None and body == SAVE else body
                answer = who.ask(method, path.replace("{table}", self.table), asked)
                out["answer"] = f"{answer.status_code} {answer.text}"
                if seat is not None:  # what a player gets is not the master's
                    assert answer.is_success, answer.text
                    out["answer"] = str(answer.status_code)
            self._let_bots_answer()
            # What is said after it comes after it, and with it all that came of it.
            self._watcher.ok("POST", f"/api/tables/{self.table}/chat", {"text": "well"})
            frames = [json.loads(live.recv(20))]
            while frames[-1]["type"] != "chat":
                frames.append(json.loads(live.recv(20)))
            # Whether two acts come in one frame, in two, or in none because the second undoes the
            # first, is nobody's secret: it hangs on how busy the server is.
            told = [line for one in frames[:-1] for line in one["told"]]
            tables = [one["table"] for one in (json.loads(out["first frame"]), *frames[:-1])]
            out["frames"] = json.dumps([tables[-1], told, frames[-1]], separators=(",", ":"))
        for look in LOOKS:
            answer = self.master.ask("GET", f"/api/tables/{self.table}{look}")
            headers = [f"{k}: {v}" for k, v in answer.headers.items() if k != "date"]
            out[look] = "\n".join([str(answer.status_code), *headers, answer.text])
        return {name: self._masked(text, match) for name, text in out.items()}

    def _saved(self, match: Match, seat: Seat) -> dict[str, Any]:
        """Orders of a seat, of its hand in this truth."""
        move = RandomBot().choose(match.game, match.view(seat), Random(1))
        text = match.game.format_move(match.deck, move)
        version = match.version(seat)
        return {"move": text, "version": version, "submission": "saved", "ready": False}

    def _let_bots_answer(self) -> None:
        asked = "SELECT COUNT(*) FROM outbox WHERE kind LIKE 'bot%' AND ident = ?"
        read, end = self._server.site.store.read, time.monotonic() + 30
        while self._server.run(read(lambda tx: tx.rows(int, asked, self.table))) != [0]:
            assert time.monotonic() < end, "no bot answers"
            time.sleep(0.02)

    def _masked(self, text: str, match: Match) -> str:
        """Without the new invitation, which is random."""
        return re.sub(r'"master_invite":"[^"]*"', "", super()._masked(text, match))


@pytest.fixture(scope="module")
def bench(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Led]:
    game, clock = request.param, VirtualClock()
    with cheap_passwords(), running(tmp_path_factory.mktemp("site"), now=clock) as server:
        led = Led(server, clock, game)
        led.lead()
        yield led


def truths(bench: Led, seed: str, *, sent: bool) -> Iterator[tuple[Match, Match]]:
    """Two that a spectator cannot tell apart who also knows who has sent orders; where orders are
    sealed at least two seats are waited for, so that nothing is opened by what a master does but by
    PROCESS."""
    is_sealed, everybody = bench.game.sealed, len(bench.game.seats)
    for number in range(60):
        rng = Random(f"{seed} {number}")
        match = new_match(bench.game, rng)
        play_on(match, rng, rng.randrange(4, 12))
        if match.outcome is not None:
            continue
        if is_sealed and len(match.awaited) not in (range(2, everybody) if sent else [everybody]):
            continue
        other = probe_of(bench.game).other_truth(match, None, rng)
        if other is not None and other.deal != match.deal and other.awaited == match.awaited:
            yield match, other


SAVE = "save"
BY_PLAYERS: tuple[Act, ...] = (
    ("POST", "/api/tables/{table}/moves", SAVE),
    ("POST", "/api/tables/{table}/ready", {}),
    ("DELETE", "/api/tables/{table}/ready", None),
)


def acts_of_players(match: Match) -> Iterator[Steps]:
    """Whoever is waited for saves, then is ready, then is not; who has sent orders is not, then is.
    Somebody else is missing all the while."""
    for seat in match.to_act:
        if seat in match.awaited:
            yield from (tuple((seat, act) for act in BY_PLAYERS[:n]) for n in (1, 2, 3))
        else:
            yield ((seat, BY_PLAYERS[2]),)
            yield ((seat, BY_PLAYERS[2]), (seat, BY_PLAYERS[1]))
            yield ((seat, BY_PLAYERS[0]),)


def acts(match: Match) -> Iterator[Steps]:
    for act in single_acts(match):
        yield ((None, act),)
    (route,) = [one for one in master_routes() if one[1].endswith("/seat")]
    (eject,) = [one for one in master_routes() if one[1].endswith("/eject")]
    for code in match.game.seats:
        for bot in (*_bots_for(match, code), ""):
            first = (*eject, {"seat": code, "then": "open"})
            yield ((None, first), (None, (*route, {"seat": code, "bot": bot})))


def _bots_for(match: Match, code: str) -> list[str]:
    """What a bot does where nothing is sealed is told to all, and tells of the hand it is given."""
    is_open = not match.game.sealed and match.game.seats.index(code) in match.awaited
    return [] if is_open else ["random"]


def single_acts(match: Match) -> Iterator[Act]:
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
                for then in ("nothing", *_bots_for(match, code)):
                    yield method, path, {"seat": code, "then": then}
        elif word != "process":
            yield method, path, MEANT[word] if method == "POST" else None


def differing(
    bench: Led, pairs: Iterator[tuple[Match, Match]], count: int, tried: Callable[[Match], Any]
) -> tuple[list[Any], set[str]]:
    """What differed after which acts, and the acts that were not refused."""
    found, done, compared = [], set[str](), 0
    for _, (match, other) in zip(range(count), pairs, strict=False):
        compared += 1
        for act in tried(match):
            ours, theirs = bench.told(match, act), bench.told(other, act)
            found += [(act, name) for name in ours if ours[name] != theirs[name]]
            if ours["answer"].startswith("20"):
                done.add(act[-1][1][1].rpartition("/")[2])
    assert compared >= min(count, PAIRS), "too few truths"
    assert done, "nothing was done"
    return found, done


@of_every_game
def test_no_act_of_a_master_tells_of_hands_or_sealed_orders(bench: Led) -> None:
    found, done = differing(bench, truths(bench, "acts", sent=True), PAIRS, acts)
    assert found == []
    refused = {"accept", "agree", "resume", "process"}  # nobody is invited, nothing stands still
    refused |= set() if bench.game.sealed else {"orders"}
    assert done == set(MEANT) - refused


@of_sealed_games
def test_what_players_do_tells_a_master_of_no_hand_and_no_order(bench: Led) -> None:
    pairs = truths(bench, "players", sent=True)
    found, done = differing(bench, pairs, PAIRS, acts_of_players)
    assert found == []
    assert done == {"moves", "ready"}


@of_sealed_games
def test_carrying_out_a_turn_tells_of_no_hand(bench: Led) -> None:
    """Where nothing is sealed nothing is opened."""

    def process(match: Match) -> Iterator[Steps]:
        turn = match.game.turn_number(match.view(None))
        (route,) = [one for one in master_routes() if one[1].endswith("/process")]
        yield ((None, (*route, {"turn": turn})),)

    assert differing(bench, truths(bench, "process", sent=False), PAIRS, process)[0] == []


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


@of_sealed_games
@pytest.mark.parametrize(("name", "leak"), [("_what_fits", refusing), ("_done", telling)])
def test_a_planted_leak_is_caught(
    name: str, leak: Callable[..., Any], bench: Led, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = getattr(game_master, name)
    monkeypatch.setattr(game_master, name, lambda *a, **k: leak(real, *a, **k))

    def orders(match: Match) -> Iterator[Steps]:
        yield from (((None, a),) for a in single_acts(match) if a[1].endswith("/orders"))

    assert differing(bench, truths(bench, "acts", sent=True), 2, orders)[0]


def telling_the_deal(real: Callable[..., Any], *arguments: Any, **detail: Any) -> Any:
    tx, here = arguments[0], arguments[1]
    deal = tx.row(str, "SELECT deal FROM tables WHERE id = ?", here.id)
    return real(*arguments, **detail, deal=deal)


@of_every_game
def test_a_planted_leak_of_hands_is_caught(bench: Led, monkeypatch: pytest.MonkeyPatch) -> None:
    real = game_master._done
    monkeypatch.setattr(game_master, "_done", lambda *a, **k: telling_the_deal(real, *a, **k))

    def pause(match: Match) -> Iterator[Steps]:
        yield from (((None, a),) for a in single_acts(match) if a[1].endswith("/pause"))

    assert differing(bench, truths(bench, "acts", sent=True), 1, pause)[0]


@of_sealed_games
def test_a_planted_leak_of_what_players_do_is_caught(
    bench: Led, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether saved orders leave something open is told to everybody."""
    monkeypatch.setattr(turns.Turn, "state_of", state_by_the_orders)
    assert differing(bench, truths(bench, "players", sent=True), 9, acts_of_players)[0]


def state_by_the_orders(turn: turns.Turn, seat: Seat) -> str:
    if seat in turn.match.awaited:
        return "missing"
    return "saved" if turn.unordered(seat) else "ready"
