"""Sealed Tender, a game that exists only here: three seats bid for contracts in sealed orders.

It has what a postal game needs of the core: orders hidden until all are in or the deadline comes, a
seat that withdraws while the others play on, a substitute, secrets told to one seat only, and open
moves that can be taken back.

Each seat holds three bids. In each round everybody seals one of them (and may change it); the
highest takes the contract on top. `ask` shows the next contract to the asker alone; `chat WORD`
does nothing at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import ClassVar, NamedTuple

from openplan.core.deal import Chance, Deal
from openplan.core.deck import Deck
from openplan.core.game import (
    OPEN,
    Event,
    Game,
    Happening,
    HouseRule,
    Illegal,
    Options,
    Outcome,
    Position,
    Preview,
    Refusal,
    Seat,
    Secret,
    Step,
    Unreadable,
    Viewer,
    Written,
)
from openplan.core.scene import CardPicture, Scene

SEATS = ("A", "B", "C")
BIDS = tuple(f"b{number}" for number in range(1, 10))
CONTRACTS = ("c1", "c2", "c3")
EVERYBODY: frozenset[Viewer] = frozenset({None, Seat(0), Seat(1), Seat(2)})
A, B, C = Seat(0), Seat(1), Seat(2)

DECK = Deck("standard", "The standard tender", "5e" * 32, (*BIDS, *CONTRACTS))


class Move(NamedTuple):
    kind: str
    what: str = ""


@dataclass(slots=True)
class State:
    hands: list[list[str]]
    contracts: list[str]
    sealed: list[str] = field(default_factory=lambda: ["", "", ""])
    won: list[list[str]] = field(default_factory=lambda: [[], [], []])
    asked: set[Seat] = field(default_factory=set)
    gone: set[Seat] = field(default_factory=set)


class View(NamedTuple):
    viewer: Viewer
    hand: tuple[str, ...]
    counts: tuple[int, ...]
    contracts: tuple[str, ...]
    left: int
    sealed: tuple[str, ...]
    won: tuple[tuple[str, ...], ...]
    gone: tuple[int, ...]


class Tender(Game[State, Move, View]):
    name = "tender"
    title = "Sealed Tender"
    credit = "A game for tests."
    rules_version = 3
    oldest_rules = 2
    sealed = True
    seats: ClassVar[tuple[str, ...]] = SEATS
    house_rules: ClassVar[tuple[HouseRule, ...]] = (
        HouseRule("chatter", ("yes", "no"), "whether chat is allowed", "ST-2"),
        HouseRule("asking", ("yes", "no"), "whether ask is allowed", "ST-3", since=3),
    )

    def read_deck(self, text: str, source: str) -> Deck:
        return DECK

    def deck_template(self) -> str:
        return ""

    def card_picture(self, deck: Deck, card: str, language: str = "en") -> CardPicture:
        return CardPicture("grey", card)

    def deal(self, deck: Deck, house: Mapping[str, str], chance: Chance) -> Deal:
        bids, dealt = set(BIDS), {}
        for code in SEATS:
            dealt[f"hand {code}"] = chance.draw(f"hand {code}", bids, 3)
            bids.difference_update(dealt[f"hand {code}"])
        contracts = chance.draw("contracts", CONTRACTS, len(CONTRACTS))
        return {**dealt, "contracts": contracts, "nothing": ()}

    def deal_told(self, deck: Deck, deal: Deal, viewer: Viewer) -> Deal:
        if viewer == OPEN:
            if any("?" in cards for cards in deal.values()):
                raise Illegal("deal", "something is covered in this deal", "ST-1")
            return deal
        told = dict(deal)
        for number, code in enumerate(SEATS):
            if viewer != number:
                told[f"hand {code}"] = ("?",) * 3
        told["contracts"] = (deal["contracts"][0], "?", "?")
        return told

    def start(self, deck: Deck, house: Mapping[str, str], deal: Deal) -> State:
        if list(deal) != [*(f"hand {code}" for code in SEATS), "contracts", "nothing"]:
            raise Illegal("deal", "the deal has the wrong lines", "ST-1")
        known = [card for cards in deal.values() for card in cards if card != "?"]
        if len(set(known)) < len(known) or not set(known) <= set(DECK.cards):
            raise Illegal("deal", "the deal has the wrong cards", "ST-1")
        hands = [deal[f"hand {code}"] for code in SEATS]
        if not {card for hand in hands for card in hand} <= {*BIDS, "?"}:
            raise Illegal("deal", "a hand has bids only", "ST-1")
        if not set(deal["contracts"]) <= {*CONTRACTS, "?"} or deal["nothing"]:
            raise Illegal("deal", "there are contracts only to bid for", "ST-1")
        return State([list(hand) for hand in hands], list(deal["contracts"]))

    def set_up(self, deck: Deck, house: Mapping[str, str], position: Position) -> State:
        hands = position["hands"]
        if isinstance(hands, str):
            hands = [hands]
        rows = [row.split() for row in hands] + [[], [], []]
        contracts = position.get("contracts", " ".join(CONTRACTS))
        if not isinstance(contracts, str):
            raise Illegal("position", "the contracts are one text", "ST-1")
        return State(rows[:3], contracts.split())

    def to_act(self, state: State) -> frozenset[Seat]:
        return frozenset(Seat(n) for n in range(3) if n not in state.gone and state.contracts)

    def awaited(self, state: State) -> frozenset[Seat]:
        return frozenset(seat for seat in self.to_act(state) if not state.sealed[seat])

    def shows_awaited(self, house: Mapping[str, str]) -> bool:
        return False

    def play(self, state: State, seat: Seat, move: Move) -> Happening:
        text = self.format_move(DECK, move)
        if move.kind == "chat":
            return Happening(text)
        if move.kind == "ask":
            state.asked.add(seat)
            card = Secret(state.contracts[1], "?", frozenset({seat}))
            fact = Secret(f"saw {card.text}", None, card.knows)
            event = Event("asked", "ST-3", {"seat": SEATS[seat], "card": card}, fact)
            return Happening(text, (event,), reveals=True)
        state.sealed[seat] = move.what
        if self.awaited(state):
            return Happening(Secret(text, None, frozenset({seat})))
        return Happening(
            Secret(text, "seals the last bid", frozenset({seat})), self._adjudicate(state), True
        )

    def deadline(self, state: State) -> Happening:
        return Happening("time is up", self._adjudicate(state), reveals=True)

    def _adjudicate(self, state: State) -> tuple[Event, ...]:
        events = []
        best: Seat | None = None
        for seat in sorted(self.to_act(state)):
            bid = state.sealed[seat]
            if bid:
                state.hands[seat].remove(bid)
                best = max([seat] if best is None else [best, seat], key=lambda s: state.sealed[s])
            params = {"seat": SEATS[seat], "bid": bid}
            events.append(Event("bid", "ST-4", params, f"{SEATS[seat]} bid {bid or 'nothing'}"))
        contract = state.contracts.pop(0)
        if best is not None:
            state.won[best].append(contract)
        state.sealed = ["", "", ""]
        state.asked = set()
        top = state.contracts[0] if state.contracts else "none"
        events.append(Event("next", "ST-4", {"contract": top}, f"next {top}"))
        return tuple(events)

    def learn(self, state: State, seat: Seat, text: str, facts: Sequence[str]) -> Move:
        for fact in facts:
            if (saw := re.fullmatch(r"saw (c\d)", fact)) and len(state.contracts) > 1:
                state.contracts[1] = saw[1]
        self.learn_deadline(state, facts)
        if text == "seals the last bid":
            if not state.sealed[seat]:
                raise Illegal("record", "the last bid is not told")
            return Move("bid", state.sealed[seat])
        return self.parse_move(DECK, text)

    def learn_deadline(self, state: State, facts: Sequence[str]) -> None:
        for fact in facts:
            if bid := re.fullmatch(r"([ABC]) bid (b\d)", fact):
                seat = SEATS.index(bid[1])
                if bid[2] not in state.hands[seat]:
                    if "?" not in state.hands[seat]:
                        raise Illegal("record", f"{bid[2]} cannot be in that hand")
                    state.hands[seat][state.hands[seat].index("?")] = bid[2]
                state.sealed[seat] = bid[2]
            elif (top := re.fullmatch(r"next (c\d)", fact)) and len(state.contracts) > 1:
                state.contracts[1] = top[1]

    def outcome(self, state: State) -> Outcome | None:
        return None if state.contracts else self._outcome(state, "contracts")

    def _outcome(self, state: State, reason: str) -> Outcome:
        points = tuple(len(won) for won in state.won)
        staying = [Seat(n) for n in range(3) if n not in state.gone]
        most = max(points[seat] for seat in staying)
        winners = tuple(seat for seat in staying if points[seat] == most)
        return Outcome(winners, points, reason, "ST-5")

    def withdraw(self, state: State, seat: Seat, reason: str) -> Outcome | None:
        state.gone.add(seat)
        state.sealed[seat] = ""
        return self._outcome(state, reason) if len(state.gone) == 2 else None

    def rejoin(self, state: State, seat: Seat) -> None:
        state.gone.remove(seat)

    def agree_draw(self, state: State) -> Outcome:
        return Outcome((), (), "agreed", "")

    def view(self, state: State, viewer: Viewer) -> View:
        known = 2 if viewer is not None and viewer in state.asked else 1
        own = viewer is not None and viewer != OPEN
        hands = tuple(tuple(hand) for hand in state.hands)
        return View(
            viewer,
            tuple(sorted(hands[viewer] if own and viewer is not None else ())),
            tuple(len(hand) for hand in hands),
            tuple(state.contracts if viewer == OPEN else state.contracts[:known]),
            len(state.contracts),
            tuple(
                bid if viewer in (OPEN, Seat(seat)) else "" for seat, bid in enumerate(state.sealed)
            )
            + (hands[0] + hands[1] + hands[2] if viewer == OPEN else ()),
            tuple(tuple(won) for won in state.won),
            tuple(sorted(state.gone)),
        )

    def view_data(self, view: View) -> dict[str, object]:
        return view._asdict()

    def determinize(self, view: View, rng: Random) -> State:
        """The view does not keep which bids were made: any that is not in the own hand may be left
        in another's."""
        if view.viewer == OPEN:
            raise Illegal("viewer", "who sees everything has nothing to imagine")
        taken = {*view.contracts, *(card for won in view.won for card in won)}
        contracts = [card for card in CONTRACTS if card not in taken]
        bids = [bid for bid in BIDS if bid not in view.hand]
        rng.shuffle(contracts)
        rng.shuffle(bids)
        hands = [
            list(view.hand) if seat == view.viewer else [bids.pop() for _ in range(count)]
            for seat, count in enumerate(view.counts)
        ]
        state = State(
            hands,
            [*view.contracts, *contracts][: view.left],
            list(view.sealed),
            [list(won) for won in view.won],
            gone={Seat(seat) for seat in view.gone},
        )
        if view.viewer is not None and len(view.contracts) > 1:
            state.asked.add(Seat(view.viewer))
        return state

    def moves(self, view: View) -> list[Move]:
        every = [Move("ask"), Move("chat", "hm"), *(Move("bid", bid) for bid in view.hand)]
        return [move for move in every if self.why_not(view, move) is None]

    def options(self, view: View, steps: Sequence[str]) -> Options:
        return Options(tuple(Step("move", " ".join(move)) for move in self.moves(view)), None)

    def why_not(self, view: View, move: Move) -> Refusal | None:
        if move.kind == "bid" and move.what not in view.hand:
            return Refusal("not-in-hand", "ST-4", {"bid": move.what})
        if move.kind == "ask" and (view.left < 2 or len(view.contracts) > 1):
            return Refusal("nothing-to-ask", "ST-3")
        return None

    def preview(self, view: View, move: Move) -> Preview[View]:
        return Preview(view, (), 0)

    def appraise(self, view: View, moves: Sequence[Move]) -> list[float]:
        return [0.0 for _ in moves]

    def scene(self, view: View, language: str = "en") -> Scene:
        return Scene(self.title, (), ())

    def parse_move(self, deck: Deck, text: str) -> Move:
        words = text.lower().split()
        if words == ["ask"]:
            return Move("ask")
        if len(words) == 2 and words[0] == "bid" and words[1] in deck.cards:
            return Move("bid", words[1])
        if len(words) == 2 and words[0] == "chat" and re.fullmatch("[a-z]+", words[1]):
            return Move("chat", words[1])
        raise Unreadable("unreadable", f"not a move: {text[:40]!r}")

    def format_move(self, deck: Deck, move: Move) -> str:
        return " ".join(filter(None, move))

    def say(self, code: str, params: Mapping[str, object], language: str = "en") -> str:
        sentence = {
            "not-in-hand": "{bid} is not in your hand.",
            "nothing-to-ask": "There is nothing to ask.",
        }
        return sentence.get(code, code).format(**params)

    def read_orders(self, deck: Deck, lines: Sequence[str]) -> list[Written[Move]]:
        words = [(n, word) for n, line in enumerate(lines) for word in line.lower().split()]
        found: list[Written[Move]] = []
        while words:
            first, kind = words.pop(0)
            if kind not in ("ask", "bid", "chat"):
                continue
            last, what = words.pop(0) if kind != "ask" and words else (first, "")
            try:
                move = None if what == "____" else self.parse_move(deck, f"{kind} {what}")
                found.append(Written(first, last, move=move))
            except Unreadable as fault:
                found.append(Written(first, last, fault=fault))
        return found

    def order_form(self, view: View, language: str = "en") -> list[str]:
        return ["bid ____"]

    def tell_orders(self, view: View, move: Move, language: str = "en") -> list[str]:
        return [f"You have sealed {move.what or 'nothing'}."]

    def dump(self, state: State) -> bytes:
        return json.dumps(asdict(state), default=sorted).encode()

    def load(self, deck: Deck, data: bytes) -> State:
        found = json.loads(data)
        return State(**found | {name: set(found[name]) for name in ("asked", "gone")})


GAME = Tender()


def game_named(name: str) -> Tender:
    if name != GAME.name:
        raise Unreadable("unknown-game", f"there is no game {name[:40]!r}")
    return GAME


def find_deck(game: object, name: str, content: str) -> Deck:
    if content != DECK.hash:
        raise Unreadable("unknown-deck", f"there is no deck {name[:40]!r}")
    return DECK
