"""The engine and the brute-force checker side by side, turn after turn of random games."""

from __future__ import annotations

import random
from collections.abc import Mapping

from openplan.core.deal import seeded_chance
from openplan.core.game import Seat
from openplan.core.grid import Square
from openplan.core.match import complete_house
from openplan.decks import load_deck
from openplan.games.cube_farm.cards import LETTERS, FarmDeck, rulings_of
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import floor_of
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.placing import add_placements
from openplan.games.cube_farm.kernel.walking import score_floor, why_employee
from openplan.games.cube_farm.scoring import explain_floor
from openplan.games.cube_farm.state import FLOORS, SEATS, State, square_of
from openplan.games.cube_farm.steps import card_places, employee_places
from openplan.games.cube_farm.text.notation import CardOrder, Orders, Phase, format_orders
from openplan.games.cube_farm.view import FarmView
from tests.brute_force import cube_farm as brute
from tests.brute_force import cube_farm_floors as brute_floors

LETTER = {
    "photocopier": "P",
    "shredder": "D",
    "laser-printer": "L",
    "fax-machine": "F",
    "supply-cabinet": "C",
    "coffee-machine": "c",
    "soda-machine": "s",
    "candy-machine": "y",
    "water-cooler": "w",
    "vp": "V",
    "receptionist": "R",
}


def shipped_deck() -> FarmDeck:
    deck = load_deck(GAME, "house")
    assert isinstance(deck, FarmDeck)
    return deck


def any_house(rng: random.Random) -> dict[str, str]:
    """Our rulings as often as any other mix of them."""
    names = [rule.name for rule in GAME.house_rules if rule.since == 2]
    chosen = {name: rng.choice(["no", "yes"]) for name in names if rng.random() < 0.7}
    return complete_house(GAME, chosen if rng.random() < 0.6 else {})


def brute_rulings(deck: FarmDeck, house: Mapping[str, str]) -> brute_floors.Rulings:
    values = dict(zip(LETTERS, deck.values, strict=True))
    return brute_floors.Rulings(
        *rulings_of(house), {letter: values[letter] for letter in brute_floors.BONUS}
    )


def card_list(deck: FarmDeck) -> dict[int, brute_floors.Card]:
    return {card.number: brute_floors.parse_card(card.drawing) for card in deck.card.values()}


def compare_floor(floor: Floor, number: int, other: brute_floors.Floor) -> None:
    """Squares, walls, cubes, walks and the whole explained score."""
    squares = {square_of(floor, square): square for square in floor.squares()}
    assert set(squares) == set(other.squares)
    for place, square in squares.items():
        kind = "_..E#VRPDLFCcsyw"[int(floor.kind[square])]
        assert kind == other.squares[place], place
        assert (int(floor.kind[square]) == codes.FILLED) == (place in other.filled)
        for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            wall = bool(int(floor.wall[square]) & (1 << side))
            beside = (place.x + dx, place.y + dy)
            assert wall == brute_floors.has_wall(other, place, beside), (place, side)
        cube = frozenset(square_of(floor, member) for member in floor.cube_squares(square))
        assert cube == brute_floors.cube_of(other, place)
        if cube:
            result = int(why_employee(floor, square))
            fault = brute_floors.employee_fault(other, place, "S")
            faults = {0: None, 6: "taken", 7: "negative", 8: "no-walk"}
            assert faults[result] == (fault and fault[0]), place
    ours = explain_floor(floor, number)
    theirs = brute_floors.score(other)
    assert len(ours) == len(theirs)
    for mine, their in zip(ours, theirs, strict=True):
        assert (SEATS[mine.seat], mine.square, mine.base) == (
            their.department,
            their.square,
            their.base,
        )
        for kind, parts in (
            ("bonus", their.bonuses),
            ("penalty", their.penalties),
            ("extra", their.extras),
        ):
            found = [
                (LETTER[part.what], part.square, part.points, part.steps)
                for part in mine.parts
                if part.kind == kind
            ]
            assert found == [(p.letter, p.square, p.points, p.steps) for p in parts], kind
        for part in mine.parts:
            assert len(part.walk) == part.steps + 1
    score_floor(floor, number)
    for seat, code in enumerate(SEATS):
        total = sum(score.total for score in theirs if score.department == code)
        assert int(floor.points[seat]) == total


def compare_placements(
    floor: Floor, deck: FarmDeck, card: str, other: brute_floors.Floor, cards: brute_floors.CardList
) -> None:
    found = codes.Found(1)
    add_placements(floor, deck.index[card], found)
    ours = set()
    for packed in found.listed():
        x, y = square_of(floor, packed & 4095)
        ours.add((x, y, (packed >> 12) & 3))
    assert len(ours) == int(found.count)
    assert ours == brute_floors.all_placements(other, int(card), cards)


def orders_of(view: FarmView, seat: Seat, rng: random.Random) -> Orders:
    """Mostly what fits now; sometimes anything, so that much is lost."""
    orders = Orders()
    hand = [view.deck.name_of(card) for card in view.hands[seat]]
    rng.shuffle(hand)
    for number in range(3):
        card = employee = None
        floor = view.laid().floor(floor_of(seat, number))
        squares = [square_of(floor, square) for square in floor.squares()]
        if hand and rng.random() < 0.9:
            name = hand.pop()
            places = card_places(view, seat, number, name)
            if places and rng.random() < 0.85:
                card = rng.choice(places)
            else:
                x, y = rng.choice(squares)
                where = Square(x + rng.randrange(-3, 3), y + rng.randrange(-3, 3))
                card = CardOrder(name, where, rng.randrange(4))
        if rng.random() < 0.9:
            cubes = employee_places(view, seat, number, card)
            if cubes and rng.random() < 0.85:
                employee = rng.choice(cubes)
            else:
                employee = rng.choice(squares)
        orders = orders.having(number, Phase(card, employee))
    return orders


def compare_game(
    deck: FarmDeck,
    cards: Mapping[int, brute_floors.Card],
    seed: int,
    every: int,
    house: Mapping[str, str] | None = None,
) -> int:
    """One random game; how many floors were compared. `every` so many-th card has all its
    placements compared. Without house rules any are taken."""
    rng = random.Random(seed)
    house = any_house(rng) if house is None else complete_house(GAME, house)
    deal = GAME.deal(deck, house, seeded_chance(seed))
    state = GAME.start(deck, house, deal)
    undealt = [*deal["hand S"], *deal["hand P"], *deal["hand T"], *deal["deck"]]
    position = brute.start_position(
        cards,
        [int(name) for name in deal["start"]],
        [int(name) for name in undealt],
        brute_rulings(deck, house),
    )
    floors = 0
    while not position.over:
        orders = {}
        for number in range(3):
            seat = Seat(number)
            move = orders_of(GAME.view(state, seat), seat, rng)
            orders[SEATS[seat]] = brute.parse_orders(format_orders(move))
            GAME.play(state, seat, move)
        GAME.deadline(state)
        position = brute.adjudicate(position, orders)
        results = state.history[-1].results
        ours = [
            (SEATS[r.seat], r.phase, r.part, (r.code, r.clause) if r.code else None)
            for r in results
        ]
        assert ours == [(p.seat, p.phase, p.kind, p.fault) for p in position.report], seed
        filled = {
            (name, square)
            for number, name in enumerate(FLOORS)
            for square in state.history[-1].filled(number)
        }
        theirs = {
            (brute.FLOOR_IN_PHASE[p.phase][p.seat], square)
            for p in position.report
            for square in p.filled
        }
        assert filled == theirs, seed
        for number, name in enumerate(FLOORS):
            compare_floor(state.table.floor(number), number, position.floors[name])
            floors += 1
            for card in deck.cards:
                if rng.randrange(every) == 0:
                    floor = state.table.floor(number)
                    compare_placements(floor, deck, card, position.floors[name], cards)
        _compare_hands(state, deck, position)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert [SEATS[seat] for seat in outcome.winners] == brute.winners(position)
    assert dict(zip(SEATS, outcome.points, strict=True)) == brute.totals(position)
    return floors


def _compare_hands(state: State, deck: FarmDeck, position: brute.Position) -> None:
    for seat, code in enumerate(SEATS):
        hand = [int(deck.name_of(card)) for card in state.table.hand_of(seat)]
        assert sorted(hand) == sorted(position.hands[code])
    assert [int(deck.name_of(card)) for card in state.table.deck_list()] == position.deck
    assert [int(deck.name_of(card)) for card in state.spent] == position.spent
