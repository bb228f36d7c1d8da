"""PBM Cube Farm for the tests over every game."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from openplan.core.deal import Deal
from openplan.core.game import AnyGame, Seat, Viewer
from openplan.core.grid import Square, flood
from openplan.core.log import Entry
from openplan.core.match import Match
from openplan.games.cube_farm.cards import FarmDeck
from openplan.games.cube_farm.deal import HANDS
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import Board
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.state import SEATS, Result, State, placed_cards, square_of
from openplan.games.cube_farm.text.notation import Orders
from tests.games.cube_farm.compare import any_house, orders_of
from tests.laws import Law


class CubeFarmProbe:
    recorded_endings = frozenset({"points", "all-gone", "agreed"})

    def house(self, rng: Random) -> dict[str, str]:
        return {**any_house(rng), "show-sent": rng.choice(["no", "no", "yes"])}

    def random_move(self, game: AnyGame, match: Match, rng: Random) -> tuple[Seat, str]:
        """Mostly of a seat that is awaited; sometimes another set in place of one sent."""
        seats = match.awaited if rng.random() < 0.8 else match.to_act
        seat = rng.choice(sorted(seats))
        view = match.view(seat)
        orders = orders_of(view, seat, rng)
        if game.why_not(view, orders) is not None:
            orders = Orders()
        return seat, game.format_move(match.deck, orders)

    def check(self, match: Match) -> None:
        state: State = match.state
        table = state.table
        everywhere = table.deck_list() + state.spent
        for seat in range(3):
            everywhere += table.hand_of(seat)
        for number in range(3):
            floor = table.floor(number)
            everywhere += [card for card, *_ in placed_cards(floor)]
            squares = {square_of(floor, square) for square in floor.squares()}
            corners = match.house["corner-touches"] == "yes"
            assert corners or len(flood(Square(0, 0), squares.__contains__)) == len(squares)
            self._check_cubes(floor)
        assert sorted(everywhere) == list(state.stock), "a card is lost or doubled"
        turn = int(table.turn)
        dealt = [5, 8, 11, 14, 15, 15][turn - 1]
        for seat in range(3):
            spends = match.house["spend-lost"] == "yes"
            gone = sum(
                r.seat == seat and r.part == "card" and (spends or not r.code)
                for r in _results(state)
            )
            assert len(table.hand_of(seat)) == dealt - gone
        assert state.shown <= {card for seat in range(3) for card in table.hand_of(seat)}

    def _check_cubes(self, floor: Floor) -> None:
        """Nobody shares a cube (CF-4.5), and one VP at most stands on a floor."""
        holders = [int(floor.cube[floor.employee[n]]) for n in range(int(floor.employee_count))]
        assert len(set(holders)) == len(holders)
        assert all(int(floor.cube_negatives[cube]) == 0 for cube in holders)
        kinds = [int(floor.kind[square]) for square in floor.squares()]
        assert kinds.count(codes.VP) <= 1

    def other_truth(self, match: Match, viewer: Viewer, rng: Random) -> Match | None:
        """The same match with cards renamed that the viewer has never seen, and with other orders,
        more or fewer, sealed by the others in the turn that is not adjudicated yet."""
        seen = self._ever_seen(match, viewer)
        hidden = [name for name in match.deck.cards if name not in seen]
        mixed = list(hidden)
        rng.shuffle(mixed)
        renamed = dict(zip(hidden, mixed, strict=True))
        assert match.deal is not None
        deal = {
            label: tuple(renamed.get(name, name) for name in names)
            for label, names in match.deal.items()
        }
        other = Match.from_deal(
            match.game, match.deck, match.house, deal, match.salt, added=match.added
        )
        turns = self._turns(match)
        for entries in turns[:-1]:
            if match.house["show-sent"] == "no":
                entries = self._in_another_order(entries, rng)
            for entry in entries:
                # Orders that are open by now are told to all; a set that was replaced before is
                # not, and may name hidden cards.
                self._submit_renamed(other, entry, renamed)
        for entry in turns[-1]:
            if entry.seat == viewer:
                self._submit_renamed(other, entry, renamed)
            elif match.house["show-sent"] == "yes":
                assert entry.seat is not None
                other.submit(entry.seat, self._any_orders(other, entry.seat, rng))
        if match.house["show-sent"] == "no":
            # Nobody is told whether the others have sent anything; the last to come would show it.
            for number in rng.sample(range(3), rng.randrange(4)):
                seat = Seat(number)
                if seat != viewer and other.awaited - {seat}:
                    other.submit(seat, self._any_orders(other, seat, rng))
        return other

    def dealt(self, state: State, rng: Random) -> Deal:
        return dealt_on(state.deck, state.table, rng)

    def opening_figures(self, law: Law) -> list[tuple[str, Callable[[Deal], bool], float]]:
        assert isinstance(law.deck, FarmDeck)
        card = law.deck.card
        lifts = frozenset(name for name in law.cards if card[name].is_elevator)

        def has_lift(hand: str) -> Callable[[Deal], bool]:
            return lambda deal: not lifts.isdisjoint(deal[hand])

        return [
            (f"{hand} has an elevator", has_lift(hand), 1 - law.composition(hand, lifts)[0])
            for hand in HANDS
        ]

    def _turns(self, match: Match) -> list[list[Entry]]:
        """The moves of each turn; the last is not adjudicated yet. Adjudications follow from them
        by themselves."""
        turns: list[list[Entry]] = [[]]
        for entry in match.log:
            if entry.kind == "adjudicate":
                turns.append([])
            else:
                turns[-1].append(entry)
        return turns

    def _in_another_order(self, entries: list[Entry], rng: Random) -> list[Entry]:
        """Seat after seat, as nobody is told when orders came. Last a seat that sent only once: a
        set of the last one opens all."""
        seats = [entry.seat for entry in entries]
        once = [seat for seat in seats if seats.count(seat) == 1]
        if not once:
            return entries
        last = rng.choice(once)
        order = sorted(set(seats), key=lambda seat: (seat == last, rng.random()))
        return [entry for seat in order for entry in entries if entry.seat == seat]

    def _submit_renamed(self, match: Match, entry: Entry, renamed: dict[str, str]) -> None:
        assert entry.seat is not None
        text = re.sub(r"card (\d+)", lambda f: f"card {renamed.get(f[1], f[1])}", entry.text)
        match.submit(entry.seat, text)

    def _any_orders(self, match: Match, seat: Seat, rng: Random) -> str:
        view = match.view(seat)
        orders = orders_of(view, seat, rng)
        refused = match.game.why_not(view, orders) is not None
        return match.game.format_move(match.deck, Orders() if refused else orders)

    def _ever_seen(self, match: Match, viewer: Viewer) -> set[str]:
        """Every card that lay open, was in the viewer's hand or was named in orders carried out;
        what the engine believes to be known is not asked."""
        assert match.deal is not None
        seen = set(match.deal["start"])
        if viewer is not None:
            seen.update(match.deal[f"hand {SEATS[viewer]}"])
        for entry in match.log:
            for fact in entry.facts:
                if found := re.match(r"[SPT] orders (.*)", fact):
                    seen.update(re.findall(r"card (\d+)", found[1]))
                if viewer is not None and fact.startswith(f"dealt {SEATS[viewer]} "):
                    seen.update(fact.split()[2:])
        return seen


def _results(state: State) -> list[Result]:
    return [result for turn in state.history for result in turn.results]


def dealt_on(deck: FarmDeck, table: Board, rng: Random) -> Deal:
    """The cards of a table that was only dealt; its hands have no order."""
    hands = [[deck.name_of(card) for card in table.hand_of(seat)] for seat in range(codes.SEATS)]
    floors = [placed_cards(table.floor(number)) for number in range(codes.FLOORS)]
    return {
        "start": tuple(deck.name_of(cards[0][0]) for cards in floors),
        **{
            label: tuple(rng.sample(hand, len(hand)))
            for label, hand in zip(HANDS, hands, strict=True)
        },
        "deck": tuple(deck.name_of(card) for card in table.deck_list()),
    }


PROBE = CubeFarmProbe()
