"""20,000 random games on the kernel, every table and every list of moves checked."""

import pytest

from openplan.games.human_resources.cards import kernel_cards
from openplan.games.human_resources.game import GAME
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.moves import deal_random, moves_of, sample_move
from tests.brute_force.compare import shipped_deck
from tests.games.human_resources.random_games import check_table, play_checked

CHUNKS = 40
GAMES = 500


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_keep_the_table_in_order(chunk: int) -> None:
    assert play_checked(1000 + chunk, GAMES) > 30 * GAMES


@pytest.mark.plain
def test_random_games_keep_the_table_in_order_plain() -> None:
    assert play_checked(7, 10) > 300


def test_the_check_can_fail() -> None:
    table = Board(kernel_cards(shipped_deck(), mirror=False))
    deal_random(table, codes.Rng(1), 54)
    check_table(table, 54)
    lost = table.hand_of(0)[0]
    table.take_from_hand(0, lost)
    with pytest.raises(AssertionError, match="lost or doubled"):
        check_table(table, 54)
    table.give(0, lost)
    corner = table.square_at(0, 0)
    card = table.lift(corner)
    table.add(table.square_at(5, 5), card)
    with pytest.raises(AssertionError, match="not one piece"):
        check_table(table, 54)


def test_every_move_can_be_drawn() -> None:
    """What house rules add: hires for no effect, projects left incomplete, and with Overtime."""
    house = {rule.name: "yes" for rule in GAME.house_rules}
    position = {
        "office": ["DDD", "D.L"],
        "hand A": "M02d M08d X02d",
        "hand B": "P03l",
        "play A": "P10d P01d",
    }
    table = GAME.set_up(shipped_deck(), house, position).table
    rng = codes.Rng(5)
    listed = set(moves_of(table))
    assert any(move & codes.LEAVE_BITS and move & codes.OVERTIME_BITS for move in listed)
    assert any(move & 31 == codes.IDLE for move in listed)
    assert {int(sample_move(table, rng)) for _ in range(100_000)} == listed
