"""Rulings that a table may settle otherwise: what the cases cannot ask, for each of them."""

from __future__ import annotations

from random import Random

import pytest

from openplan.core.deal import seeded
from openplan.core.deck import DeckError
from openplan.core.game import Illegal, Seat
from openplan.core.match import Match
from openplan.core.record import read_record, write_record
from openplan.core.registry import game_named
from openplan.decks import find_deck
from openplan.games.cube_farm.bot import think
from openplan.games.cube_farm.cards import Rulings, kernel_cards
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import NO_ORDER, carry_out, floor_of
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.placing import add_placements, place_card
from openplan.games.cube_farm.kernel.walking import can_be_taken, find_worths, score_floor
from openplan.games.cube_farm.state import employees_on, placed_cards, put_orders
from openplan.games.cube_farm.text.notation import Orders
from tests.games.cube_farm.compare import orders_of, shipped_deck
from tests.games.cube_farm.decks import random_deck
from tests.games.cube_farm.plans import drawing

DECK = shipped_deck()
S, P, T = Seat(0), Seat(1), Seat(2)
RULINGS = [rule.name for rule in GAME.house_rules if rule.since == 2]
ALL = dict.fromkeys(RULINGS, "yes")
EACH = [*({name: "yes"} for name in RULINGS), ALL]


def match_after(turns: int, seed: int, house: dict[str, str]) -> Match:
    rng = Random(seed)
    match = Match.start(GAME, DECK, house, secret=seeded(rng.random()))
    while match.state.table.turn <= turns:
        seat = min(match.awaited)
        view = match.view(seat)
        orders = orders_of(view, seat, rng)
        refused = GAME.why_not(view, orders) is not None
        match.submit(seat, GAME.format_move(DECK, Orders() if refused else orders))
    return match


# -- A table's choice ------------------------------------------------------------------------


def test_a_new_match_writes_down_what_it_has_settled() -> None:
    text = write_record(match_after(2, 1, {"spend-lost": "yes"}))
    assert "\ngame: cube-farm, rules 2\n" in text
    assert (
        "\nhouse: show-sent=no spend-lost=yes lose-together=no corner-touches=no far-knowledge=no\n"
    ) in text
    assert write_record(read_record(text, game_named, find_deck)) == text


@pytest.mark.parametrize("name", RULINGS)
def test_by_the_first_rules_there_is_no_such_choice(name: str) -> None:
    with pytest.raises(Illegal, match=f"rules 1 have no {name}=yes"):
        Match.from_position(GAME, DECK, {name: "yes"}, {}, rules=1)


@pytest.mark.parametrize("house", EACH)
@pytest.mark.parametrize("viewer", [None, S, P])
def test_a_viewer_s_record_leads_to_the_viewer_s_table(
    house: dict[str, str], viewer: Seat | None
) -> None:
    match = match_after(4, 7, house)
    told = read_record(write_record(match, viewer), game_named, find_deck)
    assert GAME.view_data(told.view(viewer)) == GAME.view_data(match.view(viewer))


# -- A lost card is spent (CF-3.4) -----------------------------------------------------------


def test_a_spent_card_is_drawn_into_no_hand_and_imagined_in_none() -> None:
    match = match_after(3, 11, {"spend-lost": "yes"})
    view = match.view(P)
    assert len(view.spent) > 2
    assert view.shown == frozenset()
    rng = Random(1)
    for _ in range(20):
        table = GAME.determinize(view, rng).table
        cards = table.deck_list() + [card for seat in range(3) for card in table.hand_of(seat)]
        cards += [card for floor in view.floors for card, *_ in floor.cards]
        assert sorted([*cards, *view.spent]) == list(range(len(DECK.cards)))
    GAME.search(view, None, 40, 1)
    others = think.search_for(view, view.laid().cards).others
    # The viewer's own places hold whatever an earlier search left there.
    orders = [
        int(others.card[(sample * 3 + seat) * 3 + phase])
        for sample in range(40)
        for seat in (S, T)
        for phase in range(3)
    ]
    imagined = {order & 255 for order in orders if order != NO_ORDER}
    assert imagined
    assert imagined.isdisjoint(view.spent)


def test_no_record_can_tell_of_a_spent_card_in_a_hand_nor_of_one_ordered_twice() -> None:
    match = match_after(3, 11, {"spend-lost": "yes"})
    told = read_record(write_record(match, None), game_named, find_deck)
    spent = DECK.name_of(told.state.spent[0])
    with pytest.raises(Illegal, match=f"card {spent} cannot be in that hand"):
        GAME.learn_deadline(told.state, [f"S orders 1: card {spent} N2"])
    other = DECK.name_of(match.state.table.hand_of(S)[0])
    with pytest.raises(Illegal, match="one card cannot have been ordered twice"):
        GAME.learn_deadline(told.state, [f"S orders 1: card {other} N2; 2: card {other} N2"])
    GAME.learn_deadline(told.state, [f"S orders 1: card {other} N2"])


def test_a_forecast_spends_what_would_be_lost() -> None:
    match = match_after(0, 3, {"spend-lost": "yes"})
    view = match.view(S)
    card = DECK.name_of(view.hands[S][0])
    after = GAME.preview(view, GAME.parse_move(DECK, f"1: card {card} 0"))
    assert after.view.spent == (DECK.index[card],)
    assert len(after.view.hands[S]) == len(view.hands[S]) - 1
    GAME.determinize(after.view, Random(1))
    assert GAME.scene(view).status == ("Turn 1 of 5.",)
    assert GAME.scene(after.view).status[1] == f"Spent cards: {card}."
    lost = next(event for event in after.events if event.code == "lost-card")
    assert GAME.say(lost.code, lost.params).endswith("0 is covered already; the card is spent")
    assert GAME.say(lost.code, lost.params, "de").endswith("; die Karte ist verbraucht")


def test_a_snapshot_keeps_what_is_spent() -> None:
    match = match_after(3, 11, ALL)
    again = GAME.load(DECK, GAME.dump(match.state))
    assert again.spent == match.state.spent != []
    assert again.table.cards is match.state.table.cards


# -- Card and employee together (CF-3.4) -----------------------------------------------------


def test_who_has_the_cube_is_told_though_the_card_was_not_placed() -> None:
    """The card would open onto P's cube, so that the square on the card would be taken."""
    position = {
        "lose-together": "yes",
        "draw top": ["+ + + +", " .|#|. ", "+ + + +", " . . E ", "+ + + +"],
        "employees top": "P@E1",
        "hand S": "46",
    }
    match = Match.from_position(GAME, DECK, None, position)
    after = GAME.preview(match.view(S), GAME.parse_move(DECK, "1: card 46 N2 turn 2 employee E1N1"))
    losses = {event.code: event.params for event in after.events if event.code.startswith("lost")}
    assert losses["lost-card"]["reason"] == "with-employee"
    assert losses["lost-employee"]["reason"] == "taken"
    assert losses["lost-employee"]["by"] == "P"


@pytest.mark.plain
@pytest.mark.parametrize("house", [{}, {"lose-together": "yes"}, ALL])
def test_search_carries_out_orders_as_the_table_does(house: dict[str, str]) -> None:
    lost = 0
    rng = Random(5)
    for seed in range(4):
        match = match_after(2, seed, house)
        state = match.state
        for number in range(6):
            seat = Seat(number % 3)
            put_orders(state, seat, orders_of(match.view(seat), seat, rng))
            for phase in range(codes.PHASES):
                trial, spare = Floor(state.table.cards), Floor(state.table.cards)
                table = state.copy().table
                trial.copy_from(table.floor(floor_of(seat, phase)))
                place = seat * codes.PHASES + phase
                carry_out(trial, spare, table.card_order[place], table.employee_order[place], seat)
                table.carry_out_card(seat, phase)
                table.carry_out_employee(seat, phase)
                floor = table.floor(floor_of(seat, phase))
                assert placed_cards(trial) == placed_cards(floor)
                assert employees_on(trial) == employees_on(floor)
                lost += int(table.card_result[place]) == codes.WITH_EMPLOYEE
    assert (lost > 0) == bool(house)


# -- Knowledge from afar (CF-6.5), and what bots think of a cube -----------------------------


def test_the_same_floor_brings_more_where_knowledge_works_from_afar() -> None:
    """However far."""
    position = {"draw top": drawing(f"#{'.' * 30}P/_E{'_' * 30}"), "employees top": "P@0"}
    points = []
    for choice in ("no", "yes", "no"):
        match = Match.from_position(GAME, DECK, {"far-knowledge": choice}, position)
        data = GAME.view_data(match.view(None))
        assert isinstance(data["points"], dict)
        assert isinstance(data["floors"], dict)
        (score,) = data["floors"]["top"]["employees"]
        points.append((data["points"]["P"], score["total"]))
    assert points == [(1, 1), (2, 2), (1, 1)]


def some_floor(seed: int, far: bool) -> Floor:
    """Fifteen cards of a wild deck, and nobody on them."""
    rng = Random(seed)
    deck = random_deck(rng)
    floor, found = Floor(kernel_cards(deck, Rulings(knows_from_afar=far))), codes.Found(1)
    place_card(floor, 0, 0, floor.square_at(0, 0))
    for card in rng.sample(range(5, len(deck.cards)), 14):
        found.count = 0
        add_placements(floor, card, found)
        if found.count:
            move = int(rng.choice(found.listed()))
            place_card(floor, card, (move >> 12) & 3, move & 4095)
    return floor


@pytest.mark.plain
@pytest.mark.parametrize("far", [False, True])
def test_what_a_cube_is_thought_to_bring_it_brings_to_who_is_alone(far: bool) -> None:
    """With machines of any worth."""
    cubes = 0
    for seed in range(20):
        floor = some_floor(seed, far)
        trial = Floor(floor.cards)
        for seat in range(3):
            find_worths(floor, 0, seat)
            for cube in range(1, int(floor.cubes) + 1):
                if can_be_taken(floor, cube):
                    trial.copy_from(floor)
                    trial.employ(floor.cube_first[cube], seat)
                    score_floor(trial, 0)
                    assert int(trial.points[seat]) == int(floor.cube_worth[cube])
                    cubes += 1
    assert cubes > 100


@pytest.mark.parametrize("house", EACH)
@pytest.mark.parametrize("strength", ["", "promise", "plain"])
def test_what_is_advised_is_legal_by_any_ruling(house: dict[str, str], strength: str) -> None:
    for turns in (1, 3):
        view = match_after(turns, 9, house).view(T)
        advice = GAME.search(view, None, 12, 3, strength)
        assert len(advice) > 3
        for orders, _ in [*advice, *((orders, 0.0) for orders in GAME.candidates(view))]:
            assert GAME.why_not(view, orders) is None
            cards = [phase.card.card for phase in orders.phases if phase.card is not None]
            assert len(set(cards)) == len(cards)
        if strength == "":
            # On the floors as they stand nothing of the best is lost.
            assert not [w for w in GAME.warnings(view, advice[0][0]) if w.params["phase"] == 1]


def test_no_more_searches_are_kept_than_there_is_room_for() -> None:
    for house in [*EACH, {}]:
        GAME.search(match_after(0, 1, house).view(S), None, 1, 1)
    assert len(think._searches) == think.MOST_SEARCHES


# -- Machines of another worth (CF-6.6) ------------------------------------------------------


def with_values(stated: str) -> str:
    return GAME.deck_template().replace(
        'title = "My deck"\n', f'title = "My deck"\nvalues = {stated}\n'
    )


def test_a_deck_that_states_what_holds_anyway_is_the_same_deck() -> None:
    plain = GAME.read_deck(GAME.deck_template(), "x")
    assert GAME.read_deck(with_values("{ shredder = 4, fax-machine = 3 }"), "x").hash == plain.hash
    assert GAME.read_deck(with_values("{}"), "x").hash == plain.hash
    hashes = {
        GAME.read_deck(with_values(stated), "x").hash
        for stated in ("{ shredder = 5 }", "{ shredder = 6 }", "{ photocopier = 5 }")
    }
    assert len(hashes | {plain.hash}) == 4


def test_the_house_deck_has_kept_its_hash() -> None:
    assert DECK.hash == "6993d79ab5de34162441b9dd5c8ee877ae3049809894c9f3c0d7779a6d4697dd"


def test_values_show_on_cards_and_floors_and_count() -> None:
    text = with_values("{ water-cooler = 7, shredder = 1 }").replace(" . . . ", " . D w ", 1)
    deck = GAME.read_deck(text, "x")
    name = next(card.name for card in deck.card.values() if codes.SHREDDER in card.kinds)
    picture = GAME.card_picture(deck, name)
    assert picture.text == "D shredder 1, w water cooler 7"
    assert picture.worths == {"D": 1, "w": 7}
    assert GAME.card_picture(deck, name, "de").text == "D Aktenvernichter 1, w Wasserspender 7"
    position = {"draw top": drawing("#......wV/_E_______"), "employees top": "S@0"}
    match = Match.from_position(GAME, deck, None, position)
    view = match.view(None)
    data = GAME.view_data(view)
    assert isinstance(data["floors"], dict)
    told = {item["square"]: item.get("worth") for item in data["floors"]["top"]["squares"]}
    assert (told["E7"], told["E8"], told["0"]) == (7, -3, None)
    (score,) = data["floors"]["top"]["employees"]
    assert [(part["what"], part["points"], part["steps"]) for part in score["parts"]] == [
        ("water-cooler", 7, 7)
    ]
    labels = {tile.label for tile in GAME.scene(view).boards[0].tiles}
    assert {"w7", "V-3"} <= labels
    assert "w7 water cooler" in GAME.scene(view).key[1]


@pytest.mark.parametrize(
    ("stated", "fault"),
    [
        ("{ shredder = 0 }", "the value of shredder must be from 1 to 9, not 0 [CF-8.2]"),
        ("{ shredder = 10 }", "the value of shredder must be from 1 to 9, not 10 [CF-8.2]"),
        ("{ shredder = -4 }", "the value of shredder must be from 1 to 9, not -4 [CF-8.2]"),
        ("{ shredder = 4.0 }", "the value of shredder must be a whole number, not 4.0 [CF-8.2]"),
        ("{ shredder = true }", "the value of shredder must be a whole number, not True [CF-8.2]"),
        ("{ vp = 4 }", "no value can be stated for 'vp', only for photocopier, shredder,"),
        ("{ toaster = 4 }", "no value can be stated for 'toaster', only for"),
        ("[4, 4]", "the field `values` must be a table, such as { shredder = 4 } [CF-8.2]"),
    ],
)
def test_values_that_cannot_be_are_named(stated: str, fault: str) -> None:
    with pytest.raises(DeckError) as caught:
        GAME.read_deck(with_values(stated), "x.toml")
    assert [str(one) for one in caught.value.faults if fault in str(one)], caught.value
