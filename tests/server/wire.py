"""The secrecy test over the wire: all bytes that reach one viewer of a table, for two truths that
this viewer cannot tell apart. Ids and times are the same in both; the commitment is masked."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, get_args
from zlib import crc32

import msgspec
from msgspec.structs import replace

from openplan.bots import RandomBot
from openplan.core.game import AnyGame, Fortune, Seat, Viewer
from openplan.core.match import Match
from openplan.mail.outbound.letter import as_html, as_text
from openplan.review import Draw, Judged, Review
from openplan.server.mailing.letter_writer import write
from openplan.server.notify.letters import Notice, TurnKind, TurnLetter
from openplan.server.notify.tellings import Telling, What
from openplan.server.store import Tx
from openplan.server.tables import turns
from openplan.server.tables.access import load
from openplan.server.tables.options import columns
from openplan.server.telling.words import words
from tests.probes import new_match, play_on, probe_of, viewers
from tests.server.running import Running, VirtualClock

START = 1_700_000_000_000_000
CLEARED = (
    *("entries", "submissions", "deadlines", "notes", "turns", "standbys", "audit"),
    *("reliability", "drafts", "seen", "reviews", "review_seats", "review_mistakes"),
)


class Bench:
    """One table of a game with somebody in each seat and somebody who looks on. Its truth can be
    exchanged under their eyes."""

    def __init__(self, server: Running, clock: VirtualClock, game: AnyGame) -> None:
        self._server = server
        self._clock = clock
        self.game = game
        self._seated = [server.client(code) for code in game.seats]
        self._watcher = server.client("Watcher")
        seats = [{"kind": "me"}, *({"kind": "open"} for _ in game.seats[1:])]
        wish = {
            "game": game.name,
            "public": True,
            "seats": seats,
            "clock": {"kind": "days", "days": 3},
        }
        self.table = self._seated[0].ok("POST", "/api/tables", wish)["id"]
        for client in self._seated[1:]:
            client.ok("POST", f"/api/tables/{self.table}/join", {})
        self._calendars = {
            client: "/calendar/"
            + client.ok("POST", "/api/me/calendar")["address"].rpartition("/")[2]
            for client in (*self._seated, self._watcher)
        }
        self._have_told()

    def _have_told(self) -> None:
        """Everybody has a browser and a hook, and the table has one; what would go there stays in
        the outbox, where it can be read."""
        site = self._server.site

        async def carry() -> int:
            return 0

        site.teller.carry = carry  # type: ignore[method-assign]
        users = [client.ok("GET", "/api/me")["id"] for client in (*self._seated, self._watcher)]

        def work(tx: Tx) -> None:
            for user in users:
                tx.execute(
                    "INSERT INTO pushes (id, user_id, endpoint, key, auth, created_at)"
                    " VALUES (?, ?, '', '', '', 0)",
                    user,
                    user,
                )
            for user, table in (*((user, None) for user in users), (users[0], self.table)):
                tx.execute(
                    "INSERT INTO hooks (id, user_id, table_id, kind, address, created_at)"
                    " VALUES (?, ?, ?, 'json', '', 0)",
                    f"{user} {table}",
                    user,
                    table,
                )

        self._server.run(site.store.transact(work))

    def some_match(self, rng: Random, entries: int) -> Match | None:
        """A random match broken off within its course, with at least one entry."""
        match = new_match(self.game, rng)
        play_on(match, rng, entries)
        return None if match.outcome is not None else match

    def differences(self, match: Match, viewer: Viewer, rng: Random) -> list[str] | None:
        """Which outputs tell this match from another that the viewer cannot tell from it."""
        other = probe_of(self.game).other_truth(match, viewer, rng)
        if other is None or other.deal == match.deal:
            return None
        # A sealed order that the viewer is not told of makes no frame, and the viewer's own may
        # have come last in one truth alone; then only what can be asked is compared.
        with_frame = _ends_with(match, viewer) == _ends_with(other, viewer) != ""
        ours = self._outputs(match, viewer, with_frame)
        theirs = self._outputs(other, viewer, with_frame)
        return [name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)]

    def _outputs(self, match: Match, viewer: Viewer, with_frame: bool) -> dict[str, str]:
        """Everything that reaches the viewer: the table before the last move, the frame of that
        move, and then all that can be asked, errors included."""
        number = _last_move(match)
        before = match.at(number) if with_frame else match
        self._plant(before, waits=not with_frame)
        client = self._watcher if viewer is None else self._seated[viewer]
        out: dict[str, str] = {}
        with client.live(self.table) as live:
            out["first frame"] = str(live.recv(20))
            if with_frame:
                last = match.log[number]
                assert last.seat is not None
                mover = self._seated[last.seat]
                version = before.version(last.seat)
                body = {"move": last.text, "version": version, "submission": "s"}
                played = mover.ask("POST", f"/api/tables/{self.table}/moves", body)
                assert played.is_success, played.text
                if mover is client:
                    out["answer"] = played.text
                out["frame"] = str(live.recv(20))
        out |= self._tellings(match, viewer)
        out |= self._letters(match, viewer)
        asks = self._requests(match, viewer)
        if not with_frame:
            # Once a turn is over, who was late in it is in everybody's profile.
            asks += [("GET", f"/api/people/{one}", None) for one in self._ids()]
            if viewer is not None and self.game.sealed:
                asks += self._orders(match, viewer)
        for method, path, asked in asks:
            is_whole = path.startswith(("/api/", "/table/", "/calendar/"))
            at = path if is_whole else f"/api/tables/{self.table}{path}"
            answer = client.ask(method, at, asked)
            headers = [f"{k}: {v}" for k, v in answer.headers.items() if k != "date"]
            out[f"{method} {path} {json.dumps(asked)}"] = "\n".join(
                [str(answer.status_code), *headers, answer.text]
            )
        return {name: self._masked(text, match) for name, text in out.items()}

    def _tellings(self, match: Match, viewer: Viewer) -> dict[str, str]:
        """Every push and hook that is on its way to the viewer, or could be; and what the table's
        own hook is told."""
        site = self._server.site
        client = self._watcher if viewer is None else self._seated[viewer]
        to = client.ok("GET", "/api/me")["id"]
        could = [
            Telling(what=what, channel="push", at=START, to=to, table=self.table, ply=match.ply)
            for what in get_args(What)
            if not what.startswith("table-")
        ]
        of_table: tuple[What, ...] = ("table-begun", "table-turn", "table-over")
        could += [
            Telling(what=what, channel="hook", at=START, table=self.table, ply=match.ply)
            for what in of_table
        ]

        def work(tx: Tx) -> dict[str, str]:
            select = "SELECT payload FROM outbox WHERE kind = 'telling' ORDER BY id"
            queued = [
                msgspec.json.decode(payload, type=Telling) for payload in tx.rows(str, select)
            ]
            mine = [one for one in queued if one.to in ("", to)]
            tx.execute("DELETE FROM outbox WHERE kind = 'telling'")
            return {
                f"{place} {number} {one.channel} {one.what}": str(
                    words(tx, site.writers, "https://games.example", one)
                )
                for place, all_of in (("queued", mine), ("telling", could))
                for number, one in enumerate(all_of)
            }

        return self._server.run(site.store.transact(work))

    def _letters(self, match: Match, viewer: Viewer) -> dict[str, str]:
        """Every letter that could be on its way to the viewer now; a spectator gets reports."""
        site = self._server.site
        client = self._watcher if viewer is None else self._seated[viewer]
        to = client.ok("GET", "/api/me")["id"]
        kinds: list[TurnKind] = ["report"]
        kinds += [] if viewer is None else ["welcome", "reminder", "late"]
        seat = None if viewer is None else int(viewer)
        queued: list[TurnLetter | Notice] = [
            TurnLetter(
                to=to,
                at=START,
                kind=kind,
                table=self.table,
                ply=match.ply,
                number=1,
                seat=seat,
                since=0,
            )
            for kind in kinds
        ]
        if viewer is not None:
            facts = {"lost": False}
            queued.append(
                Notice(
                    to=to,
                    at=START,
                    kind="orders-entered",
                    table=self.table,
                    ply=match.ply,
                    facts=facts,
                    seat=seat,
                )
            )

        def work(tx: Tx) -> dict[str, str]:
            found = {}
            for one in queued:
                letter = write(tx, site.readers, site.secret, "https://games.example", one)
                assert letter is not None
                text = [letter[0].subject, as_text(letter[0]), as_html(letter[0]), letter[1]]
                found[f"letter {one.kind}"] = "\n".join(text)
            return found

        return self._server.run(site.store.read(work))

    def _requests(self, match: Match, viewer: Viewer) -> list[tuple[str, str, Any]]:
        client = self._watcher if viewer is None else self._seated[viewer]
        version = match.version(viewer)
        cards = match.deck.cards
        tried = ["nonsense", "", *(f"place {card} E1" for card in cards[:3]), f"quota {cards[-1]}"]
        if viewer is not None and viewer in match.to_act:
            # One that can be made: the same in both truths, if the view is.
            some = RandomBot().choose(match.game, match.view(viewer), Random(1))
            tried.append(match.game.format_move(match.deck, some))
        requests: list[tuple[str, str, Any]] = [
            ("GET", "", None),
            ("GET", "?invite=x", None),
            ("GET", "/log", None),
            ("GET", f"/log?since={version - 1}", None),
            ("GET", "/record", None),
            ("GET", "/record?viewer=all", None),
            ("GET", "/record?viewer=spectator", None),
            *(("GET", f"/record?viewer={code}", None) for code in match.game.seats),
            *(("GET", f"?seat={code}", None) for code in match.game.seats),
            *(("GET", f"/log?seat={code}", None) for code in match.game.seats),
            ("GET", f"/record?seat={match.game.seats[-1]}", None),
            ("GET", "/deck", None),
            *(("GET", path, None) for path in ("/api/me/export", "/api/me/tables", "/api/tables")),
            *(("GET", f"/api/people/{one}/results", None) for one in self._ids()),
            ("GET", "/api/me/absences", None),
            *(("GET", f"/api/me/{what}", None) for what in ("waiting", "told")),
            ("GET", f"/table/{self.table}/feed.atom", None),
            ("GET", self._calendars[client], None),
            ("GET", "/wishes", None),
            ("GET", "/hook", None),
            ("POST", "/hint", None),
            ("GET", "/review", None),
            *(("GET", f"/review?seat={code}", None) for code in match.game.seats),
            ("POST", "/review", None),
            ("DELETE", "/review", None),
            ("GET", "/review?invite=x", None),
            *(("POST", "/again", {"entry": number}) for number in (1, version, version + 1)),
            *(("POST", "/review/try", {"entry": 1, "move": move}) for move in tried[-2:]),
            ("GET", "/api/me/mistakes", None),
            ("GET", "/api/people/{}/against/{}".format(*self._ids()[:2]), None),
            ("GET", "/verify", None),
            ("GET", "/chat", None),
            ("GET", "/notes", None),
            ("GET", "/draft", None),
            *(("GET", f"/draft?seat={code}", None) for code in match.game.seats),
            *(("GET", f"/seen?seat={code}", None) for code in match.game.seats),
            ("GET", "/master/calendar", None),
            ("GET", "/press", None),
            ("GET", "/audit", None),
            ("GET", "/master/preview", None),
            ("POST", "/master/process", {"turn": 1}),
            ("POST", "/master/deadline", {"due_at": START}),
            ("POST", "/master/roll-back", {"number": 1}),
            ("POST", "/standby", {"is_on": True}),
            ("POST", "/come-back", None),
            ("GET", f"/at/{version + 1}", None),
            *(("GET", f"/at/{number}", None) for number in {0, version // 2, version}),
            *(("GET", f"/at/1?viewer={code}", None) for code in ("all", *match.game.seats)),
            ("POST", "/options", {"steps": []}),
            ("POST", "/options", {"steps": ["nonsense"]}),
            ("POST", "/roll-back", {"number": version + 1}),
            ("POST", "/take-back", {"number": version + 1}),
            ("POST", "/moves", {"move": tried[2], "version": version + 1, "submission": "x"}),
            ("POST", "/rematch", None),
            ("POST", "/abort", None),
            ("POST", "/draw", None),
            ("POST", "/pause", None),
            ("GET", "", None),
            ("POST", "/wait", {"waits": True}),
            ("GET", "", None),
        ]
        for move in tried:
            body = {"move": move, "version": version, "submission": "y"}
            requests += [("POST", "/why", {"move": move}), ("POST", "/preview", {"move": move})]
            if move in ("nonsense", ""):
                requests.append(("POST", "/moves", body))
        return requests

    def _orders(self, match: Match, viewer: Seat) -> list[tuple[str, str, Any]]:
        """The viewer saves, is ready, is not. Everybody else is missing or not ready, and nothing
        is opened."""
        asks: list[tuple[str, str, Any]] = [("DELETE", "/ready", None), ("GET", "", None)]
        if viewer in match.to_act:
            some = RandomBot().choose(match.game, match.view(viewer), Random(2))
            text = match.game.format_move(match.deck, some)
            body = {"move": text, "version": match.version(viewer), "submission": "z"}
            asks += [("POST", "/moves", {**body, "ready": False}), ("GET", "", None)]
        return [*asks, ("POST", "/ready", {}), ("GET", "", None), ("GET", "/log", None)]

    def _plant(self, match: Match, *, waits: bool) -> None:
        """With something half made in every seat, which depends on what is seen from there."""
        ids = self._ids_known = self._ids()
        drafts = [
            str(crc32(repr(match.told(seat)).encode() + repr(match.view(seat)).encode()))
            for seat in map(Seat, range(len(ids)))
        ]

        def work(tx: Tx) -> None:
            tx.execute("DELETE FROM outbox WHERE kind = 'telling'")
            for name in CLEARED:
                tx.execute(f"DELETE FROM {name} WHERE table_id = ?", self.table)
            place = load(tx, self.table, None)
            assert place is not None
            options = replace(place.options, house=dict(match.house))
            tx.execute(
                "UPDATE tables SET state = 'playing', options = ?, deal = ?, salt = ?,"
                " commitment = ?, chance = ?, first_names = ?, offers = '{}', result = NULL,"
                " started_at = ? WHERE id = ?",
                columns(options)["options"],
                json.dumps(match.deal),
                match.salt,
                match.commitment,
                json.dumps(match.added),
                json.dumps(match.first_names),
                START,
                self.table,
            )
            for ply, entry in enumerate(match.log, 1):
                tx.execute(
                    "INSERT INTO entries (table_id, ply, kind, seat, text, facts, at)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    self.table,
                    ply,
                    entry.kind,
                    entry.seat,
                    entry.text,
                    json.dumps(entry.facts),
                    START + ply,
                )
            self._plant_review(tx, match)
            for user, code, text in zip(ids, self.game.seats, drafts, strict=True):
                tx.execute(
                    "INSERT INTO drafts (user_id, place, table_id, text, at)"
                    " VALUES (?, ?, ?, ?, ?)",
                    user,
                    f"{self.table} {code}",
                    self.table,
                    text,
                    START,
                )
                tx.execute(
                    "INSERT INTO seen (user_id, place, table_id, entry, turn)"
                    " VALUES (?, ?, ?, ?, 0)",
                    user,
                    f"{self.table} {code}",
                    self.table,
                    int(text) % 1000,
                )

        self._clock.at = START + match.ply + 1
        site = self._server.site
        self._server.run(site.store.transact(work))
        site.writers.forget(self.table)
        site.readers.forget(self.table)
        self._server.run(site.store.transact(lambda tx: self._make_late(tx, waits=waits)))

    def _plant_review(self, tx: Tx, match: Match) -> None:
        """As if somebody had judged the match while it goes on: nobody is to get at that."""
        known = crc32(repr(match.deal).encode()) % 1000
        seats = len(self.game.seats)
        drawn = Draw(0, Fortune(Seat(0), "card", known, 2))
        entries = (Judged(0, (1 / seats,) * seats, None, (drawn,)),)
        review = Review(self.game.name, "x", known, (known,) * seats, entries)
        tx.execute(
            "INSERT INTO reviews (table_id, user_id, evaluator, depth, state, judged, entries,"
            " result, at) VALUES (?, ?, 'x', ?, 'done', ?, 1000, ?, ?)",
            self.table,
            self._ids_known[0],
            known,
            known,
            msgspec.json.encode(review).decode(),
            START,
        )
        for seat in range(seats):
            tx.execute(
                "INSERT INTO review_seats (table_id, seat, luck, margin, adjusted)"
                " VALUES (?, ?, ?, ?, ?)",
                *(self.table, seat, known, known, known),
            )
            tx.execute(
                "INSERT INTO review_mistakes (table_id, entry, seat, cost) VALUES (?, ?, ?, ?)",
                *(self.table, seat + 1, seat, known),
            )

    def _make_late(self, tx: Tx, *, waits: bool) -> None:
        """The deadline has passed, and in its grace everybody sees of it what they may. Who has
        sent something wants to wait, unless that would keep the orders from being opened."""
        place = load(tx, self.table, None)
        assert place is not None
        with self._server.site.writers.timed(tx, place.row) as timed:
            turn = turns.current(tx, place, timed)
            if turn is not None:
                turn.stage, turn.late = 2, sorted(map(int, timed.match.awaited))
                sent = [seat for seat in range(len(place.seats)) if seat not in turn.late]
                if waits:
                    turn.waits, turn.readiness.faulty = sent, sent[1:]
                else:
                    turn.readiness.ready = sent
                turns.keep(tx, place, turn)

    def _masked(self, text: str, match: Match) -> str:
        """Nor are times compared at which the viewer did something."""
        text = re.sub(r"check: [0-9a-f]{64}", "check", text.replace(match.commitment, "committed"))
        return re.sub(r'"(at|seen_at)":\d+', "", text)

    def _ids(self) -> list[str]:
        return [client.ok("GET", "/api/me")["id"] for client in self._seated]

    def who(self) -> list[Viewer]:
        return viewers(self.game)


def _last_move(match: Match) -> int:
    """Where in the log the last move stands, counted from 0; what it caused comes after it."""
    moves = (number for number, entry in enumerate(match.log) if entry.kind == "move")
    return max(moves, default=-1)


def _ends_with(match: Match, viewer: Viewer) -> str:
    """Whose the last move was to this viewer: `own`, `other`, or empty if it was not told."""
    number = _last_move(match)
    if number < 0 or match.version(viewer) == match.at(number).version(viewer):
        return ""
    return "own" if match.log[number].seat == viewer else "other"
