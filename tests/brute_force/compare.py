"""The engine and the brute-force checker side by side, position after position."""

from __future__ import annotations

import random
from collections.abc import Mapping

from openplan.core.deal import seeded_chance
from openplan.decks import load_deck
from openplan.games.human_resources.cards import OfficeDeck, shown
from openplan.games.human_resources.game import GAME
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.state import SEATS, State
from openplan.games.human_resources.view import PHASES
from tests.brute_force import human_resources as brute
from tests.brute_force.human_resources_office import Position


def position_of(state: State) -> Position:
    """The engine's table in the checker's terms."""
    table = state.table
    deck = state.deck

    def names(numbers: list[int]) -> list[str]:
        return [shown(number) for number in numbers]

    over = table.phase == codes.AT_END
    return Position(
        office={(x, y): shown(card) for x, y, card in table.cubicles()},
        hands={code: names(table.hand_of(seat)) for seat, code in enumerate(SEATS)},
        patterns={name: list(card.pattern) for name, card in deck.card.items() if card.pattern},
        values={name: card.value for name, card in deck.card.items() if card.value is not None},
        play={code: names(table.play_of(seat)) for seat, code in enumerate(SEATS)},
        scored={code: names(table.scored_of(seat)) for seat, code in enumerate(SEATS)},
        discard=names(table.discard_list()),
        deck=names(table.deck_list()),
        actor=SEATS[int(table.actor)],
        to_act=SEATS[int(table.actor if over else table.to_act())],
        phase="turn" if over else PHASES[int(table.phase)],
        plays_left=int(table.plays_left),
        hiring=None if table.hiring == codes.NONE else shown(int(table.hiring)),
        overtime_used=bool(table.overtime_used),
        over=over,
        mirror=state.house["mirror"] == "yes",
        leave=state.house["leave"] == "yes",
        idle=state.house["idle"] == "yes",
        to_hand=state.house["to-hand"] == "yes",
    )


def comparable(position: Position) -> dict[str, object]:
    """A position as data, hands without order (HR-10.3). Who acts does not matter at the end."""
    data: dict[str, object] = {
        "office": position.office,
        "hands": {seat: sorted(cards) for seat, cards in position.hands.items()},
        "play": position.play,
        "scored": position.scored,
        "discard": position.discard,
        "deck": position.deck,
        "over": position.over,
    }
    if not position.over:
        data |= {
            "actor": position.actor,
            "to_act": position.to_act,
            "phase": position.phase,
            "plays_left": position.plays_left,
            "hiring": position.hiring,
            "overtime_used": position.overtime_used,
        }
    return data


def house_of(seed: int) -> Mapping[str, str]:
    return {
        "promo": "yes" if seed % 2 else "no",
        "mirror": "yes" if seed % 4 >= 2 else "no",
        "memory": "no",
        "leave": "yes" if seed % 3 == 0 else "no",
        "idle": "yes" if seed % 8 >= 4 else "no",
        "to-hand": "yes" if seed % 16 >= 8 else "no",
    }


def compare_game(deck: OfficeDeck, seed: int) -> int:
    """Play one random game, comparing all legal moves before and the whole table after every move.
    Moves that complete something, rare ones and hires are preferred. How many positions."""
    rng = random.Random(seed)
    house = house_of(seed)
    deal = GAME.deal(deck, house, seeded_chance(seed))
    state = GAME.start(deck, house, deal)
    hands = {code: list(deal[f"hand {code}"]) for code in SEATS}
    values = {name: card.value for name, card in deck.card.items() if card.value is not None}
    expected = brute.first_player(hands, values)
    assert expected in (None, deal["start"][0]), (seed, deal)
    assert (expected is None) == (len(deal["start"]) == 2), (seed, deal)
    positions = 0
    while GAME.outcome(state) is None:
        positions += 1
        position = position_of(state)
        (seat,) = GAME.to_act(state)
        view = GAME.view(state, seat)
        moves = {GAME.format_move(deck, move): move for move in GAME.moves(view)}
        legal = brute.legal_moves(position)
        assert set(moves) == legal, (seed, set(moves) ^ legal, position)
        chosen = choose(rng, position, sorted(legal))
        GAME.play(state, seat, moves[chosen])
        after = brute.play(position, chosen)
        assert comparable(position_of(state)) == comparable(after), (seed, chosen, position)
    result = GAME.outcome(state)
    assert result is not None
    winner = "draw" if not result.winners else SEATS[result.winners[0]]
    assert winner == brute.outcome(position_of(state)), (seed, result)
    return positions


def choose(rng: random.Random, position: Position, legal: list[str]) -> str:
    """A move of a kind drawn first, so that the many placements do not crowd out the rest."""
    for rare in ("overtime", "leave"):
        moves = [move for move in legal if rare in move]
        if moves and rng.random() < 0.5:
            return rng.choice(moves)
    kinds: dict[str, list[str]] = {}
    for move in legal:
        words = move.split()
        kinds.setdefault(words[2] if words[0] == "hire" else words[0], []).append(move)
    kind = rng.choice(sorted(kinds))
    moves = kinds[kind]
    if rng.random() < 0.5:
        # Look for one that completes something.
        for move in rng.sample(moves, min(len(moves), 12)):
            after = brute.play(position, move)
            if any(len(after.scored[s]) > len(position.scored[s]) for s in SEATS):
                return move
    return rng.choice(moves)


def shipped_deck() -> OfficeDeck:
    deck = load_deck(GAME, "house")
    assert isinstance(deck, OfficeDeck)
    return deck
