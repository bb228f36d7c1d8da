"""Full random games on the kernel itself, with every table and every list of moves checked."""

from __future__ import annotations

from openplan.core.grid import Square, flood, neighbours
from openplan.games.human_resources import kernel
from openplan.games.human_resources.cards import BASIC, NAMES, kernel_cards
from openplan.games.human_resources.generate import deal_random, moves_of, sample_move
from openplan.games.human_resources.table import Table
from openplan.games.human_resources.turn import apply
from tests.brute_force.compare import shipped_deck


def check_table(table: Table, cards: int) -> None:
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
    if hiring != kernel.NONE:
        seen.append(hiring)
    assert sorted(seen) == list(range(cards)), "a card is lost or doubled"
    office = {Square(square & 63, square >> 6) for square in squares}
    assert len(office) == size
    assert len(flood(next(iter(office)), office.__contains__)) == size, "not one piece"
    free = {other for square in office for other in neighbours(square)} - office
    listed = [Square(square & 63, square >> 6) for square in frontier]
    assert len(listed) == len(free)
    assert set(listed) == free
    rows = dict.fromkeys(range(68), 0)
    for square in squares:
        rows[square >> 6] |= 1 << (square & 63)
    dark, light = table.rows_dark, table.rows_light
    for row, mask in rows.items():
        assert dark[row] | light[row] == mask
        assert dark[row] & light[row] == 0


def play_checked(seed: int, games: int) -> int:
    """Play so many games; how many tables were checked."""
    deck = shipped_deck()
    rng = kernel.Rng(seed)
    tables = 0
    for game in range(games):
        cards = len(NAMES) if game % 2 else BASIC
        table = Table(kernel_cards(deck, mirror=game % 4 > 1))
        deal_random(table, rng, cards)
        while table.phase != kernel.AT_END:
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
