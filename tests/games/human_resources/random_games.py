"""Full random games on the kernel itself, with every table and every list of moves checked."""

from __future__ import annotations

from typing import Final

from openplan.games.human_resources.cards import BASIC, NAMES, kernel_cards
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.moves import deal_random, moves_of, sample_move
from openplan.games.human_resources.kernel.turn import apply
from tests.brute_force.compare import shipped_deck


def check_table(table: Board, cards: int) -> None:
    """All cards once, the office one piece, its free neighbours exactly those listed."""
    numbers = table.numbers()
    size = numbers[2]
    squares = numbers[3 : 3 + 2 * size : 2]
    faces = numbers[4 : 4 + 2 * size : 2]
    at = 3 + 2 * size
    frontier = numbers[at + 1 : at + 1 + numbers[at]]
    rest = numbers[at + 1 + numbers[at] :]
    seen = list(faces)
    at = 0
    for _ in range(8):  # hand, play and scored of each seat, the deck, the discard
        seen += rest[at + 1 : at + 1 + rest[at]]
        at += 1 + rest[at]
    hiring = rest[at + 3]
    if hiring != codes.NONE:
        seen.append(hiring)
    assert sorted(seen) == list(range(cards)), "a card is lost or doubled"
    office = board_of(squares)
    assert office.bit_count() == size
    assert connected(office) == office, "not one piece"
    free = grown(office) & ~office
    assert len(frontier) == free.bit_count()
    assert board_of(frontier) == free
    rows = [0] * ROWS
    for square in squares:
        rows[square >> 6] |= 1 << (square & 63)
    for dark, light, mask in zip(table.rows_dark, table.rows_light, rows, strict=True):
        assert dark | light == mask
        assert dark & light == 0


# Squares as the bits of one number, which is much faster than sets of them: there are a million
# tables to be checked. Beside and above a row is room, so that a neighbour is never in another row.
ROWS: Final = 68
WIDE: Final = 66
BIT: Final = [1 << (WIDE * ((square >> 6) + 1) + (square & 63) + 1) for square in range(64 * ROWS)]


def board_of(squares: list[int]) -> int:
    board = 0
    for square in squares:
        board |= BIT[square]
    return board


def grown(board: int) -> int:
    """The squares and all their neighbours."""
    return board | board << 1 | board >> 1 | board << WIDE | board >> WIDE


def connected(board: int) -> int:
    """The piece that holds the first square."""
    reached, more = 0, board & -board
    while more != reached:
        reached, more = more, grown(more) & board
    return reached


def play_checked(seed: int, games: int) -> int:
    """Play so many games; how many tables were checked."""
    deck = shipped_deck()
    rng = codes.Rng(seed)
    tables = 0
    for game in range(games):
        cards = len(NAMES) if game % 2 else BASIC
        table = Board(kernel_cards(deck, mirror=game % 4 > 1))
        table.leave = int(game % 3 == 0)
        table.idle = game // 4 % 2
        table.to_hand = game // 8 % 2
        deal_random(table, rng, cards)
        while table.phase != codes.AT_END:
            check_table(table, cards)
            tables += 1
            moves = moves_of(table)
            move = sample_move(table, rng)
            distinct = set(moves)
            assert len(distinct) == len(moves), "a move is listed twice"
            assert move in distinct, "a sampled move is not legal"
            if tables % 2:
                move = moves[rng.below(len(moves))]
            apply(table, move)
        check_table(table, cards)
    return tables
