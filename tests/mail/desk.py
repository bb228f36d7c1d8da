"""A house in memory for the judge: real matches, and a list of all else that was asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from openplan.core.deal import seeded
from openplan.core.game import Illegal, Seat
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.mail.commands.arguments import Given
from openplan.mail.commands.port import Bearer, Role, Standing
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


USED = {
    "OPEN": ("opening",),
    "INVITE": ("who", "table"),
    "JOIN": ("table", "seat"),
    "PRESS": ("to", "text", "grey"),
    "BROADCAST": ("to", "text", "grey"),
    "ABSENCE": ("days",),
    "SEAT": ("seat", "who"),
    "DEADLINE": ("when",),
    **dict.fromkeys(("CLOSE", "WATCH", "STANDBY"), ("table",)),
    **dict.fromkeys(("DIARY", "ANNOUNCE"), ("text",)),
    **dict.fromkeys(("LANGUAGE", "ZONE"), ("topic",)),
    **dict.fromkeys(("PROCESS", "ROLLBACK", "TERMINATE"), ("turn",)),
    "ADDRESS": ("who",),
    "EJECT": ("seat",),
    "ORDERS": ("seat", "text"),
}
"""What commands say that is looked at in tests."""


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

    def conclude(
        self, who: Bearer, *, is_clean: bool, nothing: Sequence[str], changed: Sequence[str]
    ) -> None:
        """Here orders are carried out as they come."""

    def clear(self, who: Bearer) -> None:
        self.acts.append(("clear", who.seat))

    def do(self, word: str, who: Bearer, given: Given) -> str:
        if word == "PROCESS" and given.turn != self.turn(who):
            raise Illegal("other-turn", f"it is turn {self.turn(who)}")
        return self._did(word.lower(), who, *(getattr(given, name) for name in USED.get(word, ())))

    def _did(self, what: str, who: Bearer, *arguments: object) -> str:
        self.acts.append((what, who.person, *arguments))
        return ""
