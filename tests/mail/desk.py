"""A house in memory for the judge: real matches, and a list of all else that was asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from openplan.core.deal import seeded
from openplan.core.game import Illegal, Seat
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.mail.commands.port import Bearer, Opening, Recipients, Role, Standing
from openplan.mail.inbound.tokens import GUEST, HOUSE, MASTER, SEAT, Claim, make_token

KEY = b"a secret of thirty-two bytes, ok"
FARM = "17"
OFFICE = "8"
HAND = ("23", "17", "5", "48", "53", "52")


def farm() -> Match:
    game = game_named("cube-farm")
    position = {"hand S": " ".join(HAND), "hand P": "9 10 11", "hand T": "6 7 8"}
    return Match.from_position(game, load_deck(game), None, position)


def office() -> Match:
    game = game_named("human-resources")
    return Match.start(game, load_deck(game), None, secret=seeded(3))


PEOPLE: Mapping[tuple[str, str], str] = {
    (FARM, "s0"): "sal",
    (FARM, "s1"): "pat",
    (FARM, "s2"): "tim",
    (FARM, "m"): "gert",
    (OFFICE, "s0"): "ann",
    (OFFICE, "s1"): "ben",
    (OFFICE, "g"): "guy",
}
ROLES = {SEAT: Role.SEAT, MASTER: Role.MASTER, GUEST: Role.GUEST}


def token(table: str = FARM, place: str = "s0", turn: int = 1, person: str = "") -> str:
    seat = Seat(int(place[1:])) if place[1:] else None
    claim = Claim(table, place[0], seat, turn)
    return make_token(KEY, claim, person or PEOPLE[table, place])


@dataclass
class Desk:
    """Implements `Post`. `acts` has everything that had an effect, in order."""

    matches: dict[str, Match] = field(default_factory=lambda: {FARM: farm(), OFFICE: office()})
    acts: list[tuple[object, ...]] = field(default_factory=list)
    received: set[tuple[str, str]] = field(default_factory=set)
    vain: set[str] = field(default_factory=set)
    key: bytes = KEY

    def holder(self, claim: Claim, sender: str) -> Bearer | None:
        if claim.table == HOUSE:
            found = self.known(sender)
            return None if found is None else replace(found, role=Role.GUEST, table=HOUSE)
        place = claim.role + ("" if claim.seat is None else str(claim.seat))
        person = PEOPLE.get((claim.table, place))
        if person is None:
            return None
        return Bearer(person, ROLES[claim.role], claim.table, claim.seat, claim.turn)

    def known(self, address: str) -> Bearer | None:
        name, _, host = address.partition("@")
        if host != "example.org" or name not in PEOPLE.values():
            return None
        return Bearer(name, Role.KNOWN)

    def receive(self, who: Bearer, name: str) -> bool:
        new = (who.person, name) not in self.received
        self.received.add((who.person, name))
        return new

    def may_answer(self, who: Bearer, *, in_vain: bool) -> bool:
        first = who.person not in self.vain
        if in_vain:
            self.vain.add(who.person)
        return first or not in_vain

    def turn(self, who: Bearer) -> int:
        match = self.matches[who.table]
        number: int | None = match.game.turn_number(match.view(None))
        return match.version(None) + 1 if number is None else number

    def standing(self, who: Bearer) -> Standing:
        match = self.matches[who.table]
        viewer = who.seat if who.role is Role.SEAT else None
        return Standing(match.game, match.deck, match.view(viewer), self.turn(who))

    def submit(self, who: Bearer, text: str) -> None:
        assert who.seat is not None
        self.matches[who.table].submit(who.seat, text)
        self.acts.append(("submit", who.seat, text))

    def clear(self, who: Bearer) -> None:
        self.acts.append(("clear", who.seat))

    def open_table(self, who: Bearer, opening: Opening) -> str:
        return self._did("open", who, opening)

    def invite(self, who: Bearer, address: str, table: str) -> str:
        return self._did("invite", who, address, table)

    def close_table(self, who: Bearer, table: str) -> str:
        return self._did("close", who, table)

    def join(self, who: Bearer, table: str, seat: str) -> str:
        return self._did("join", who, table, seat)

    def watch(self, who: Bearer, table: str) -> str:
        return self._did("watch", who, table)

    def stand_by(self, who: Bearer, table: str) -> str:
        return self._did("stand-by", who, table)

    def press(self, who: Bearer, to: Recipients, text: str, *, grey: bool) -> str:
        return self._did("press", who, to, text, grey)

    def write_diary(self, who: Bearer, text: str) -> str:
        return self._did("diary", who, text)

    def wait(self, who: Bearer, *, waiting: bool) -> str:
        return self._did("wait", who, waiting)

    def absence(self, who: Bearer, first: date, last: date) -> str:
        return self._did("absence", who, first, last)

    def resign(self, who: Bearer) -> str:
        return self._did("resign", who)

    def change_address(self, who: Bearer, address: str) -> str:
        return self._did("address", who, address)

    def confirm_address(self, who: Bearer) -> str:
        return self._did("confirm", who)

    def change_language(self, who: Bearer, language: str) -> str:
        return self._did("language", who, language)

    def change_zone(self, who: Bearer, zone: str) -> str:
        return self._did("zone", who, zone)

    def process(self, who: Bearer, turn: int) -> str:
        if turn != self.turn(who):
            raise Illegal("other-turn", f"it is turn {self.turn(who)}")
        return self._did("process", who, turn)

    def pause(self, who: Bearer) -> str:
        return self._did("pause", who)

    def resume(self, who: Bearer) -> str:
        return self._did("resume", who)

    def set_deadline(self, who: Bearer, to: datetime | timedelta) -> str:
        return self._did("deadline", who, to)

    def roll_back(self, who: Bearer, turn: int) -> str:
        return self._did("roll-back", who, turn)

    def eject(self, who: Bearer, seat: str) -> str:
        return self._did("eject", who, seat)

    def give_seat(self, who: Bearer, seat: str, to: str) -> str:
        return self._did("seat", who, seat, to)

    def become(self, who: Bearer, seat: str) -> Bearer:
        self._did("become", who, seat)
        number = Seat(self.matches[who.table].game.seats.index(seat))
        return replace(who, role=Role.SEAT, seat=number)

    def terminate(self, who: Bearer, turn: int) -> str:
        return self._did("terminate", who, turn)

    def announce(self, who: Bearer, text: str) -> str:
        return self._did("announce", who, text)

    def _did(self, what: str, who: Bearer, *arguments: object) -> str:
        self.acts.append((what, who.person, *arguments))
        return ""
