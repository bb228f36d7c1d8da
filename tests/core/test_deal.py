"""The deal: how it is drawn from chance, and how that chance is sealed."""

from __future__ import annotations

import hashlib
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplan.core.deal import (
    SECRET_BYTES,
    Chance,
    Draw,
    chance_lines,
    deal_lines,
    new_secret,
    salted,
    seal,
    seeded,
    seeded_chance,
)

SECRET = "ab" * SECRET_BYTES
BYTES = "cd" * SECRET_BYTES
LINES = [f"chance server: {SECRET}", f"chance A: {BYTES}", "chance B: none"]


def words(lines: list[str], count: int) -> list[int]:
    """The stream as the docstring of `deal.py` has it, written a second time."""
    key = hashlib.sha256("\n".join([*lines, ""]).encode()).digest()
    blocks = (hashlib.sha256(key + i.to_bytes(8, "big")).digest() for i in range(count // 8 + 1))
    stream = b"".join(blocks)
    return [int.from_bytes(stream[4 * i : 4 * i + 4], "big") for i in range(count)]


class Words(Chance):
    """Chance that says what it is told to."""

    def __init__(self, given: list[int]) -> None:
        super().__init__([])
        self._given = given

    def _word(self) -> int:
        return self._given.pop(0)


# -- The chance ------------------------------------------------------------------------------


def test_a_secret_is_long_and_new_every_time() -> None:
    found = {new_secret() for _ in range(100)}
    assert len(found) == 100
    assert all(len(bytes.fromhex(secret)) == 32 == SECRET_BYTES for secret in found)


def test_a_seed_gives_the_same_secret_again() -> None:
    assert seeded(7) == seeded(7) != seeded(8)
    assert len(bytes.fromhex(seeded("x"))) == SECRET_BYTES
    assert seeded_chance(7).below(2**31) == seeded_chance(7).below(2**31)


def test_all_chance_there_was_is_written_line_by_line() -> None:
    assert chance_lines(SECRET, ["A", "B"], [BYTES, "none"]) == LINES


def test_the_seal_is_the_hash_of_the_servers_line_alone() -> None:
    assert seal(SECRET) == hashlib.sha256(f"{LINES[0]}\n".encode()).hexdigest()


def test_the_stream_is_hashes_of_key_and_counter() -> None:
    chance = Chance(LINES)
    # A power of two has no incomplete stretch: every word counts.
    assert [chance.below(2**32) for _ in range(40)] == words(LINES, 40)


@pytest.mark.parametrize("line", range(3))
def test_each_line_changes_all_that_is_drawn(line: int) -> None:
    other = list(LINES)
    other[line] = (
        other[line].replace("none", "0" * 64).replace("ab", "ac", 1).replace("cd", "ce", 1)
    )
    pool = [f"c{number:02}" for number in range(50)]
    first, second = (Chance(lines).draw("deck", pool, 50) for lines in (LINES, other))
    assert sum(a == b for a, b in zip(first, second, strict=True)) < 8  # 1 is expected


def test_words_of_the_last_incomplete_stretch_are_passed_over() -> None:
    """2**32 is 1 more than a multiple of 3, and 4 more than one of 6."""
    assert Words([2**32 - 1, 5]).below(3) == 2
    assert Words([2**32 - 2]).below(3) == 2
    assert Words([2**32 - 1, 2**32 - 4, 2**32 - 5]).below(6) == 5
    assert Words([2**32 - 1]).below(1) == 0


def test_every_order_is_drawn_by_exactly_one_row_of_choices() -> None:
    """Fisher-Yates: 4 * 3 * 2 * 1 rows of choices, 24 orders, each once."""
    rows = [[a, b, c, 0] for a in range(4) for b in range(3) for c in range(2)]
    orders = [Words(row).draw("deck", "dcba", 4) for row in rows]
    assert sorted(orders) == sorted(permutations("abcd"))


def test_a_draw_is_from_the_pool_in_the_order_of_names_and_written_down() -> None:
    chance = Words([1, 0])
    assert chance.draw("hand A", {"b3", "b1", "b2"}, 2) == ("b2", "b1")
    assert chance.draws == [Draw("hand A", ("b1", "b2", "b3"), ("b2", "b1"))]


# -- The deal as text, and the commitment of older matches -----------------------------------

DEAL = {"office": ("P01d", "M03l"), "hand A": ("Q02l",), "toss": ()}


def test_a_deal_is_written_line_by_line() -> None:
    assert deal_lines(DEAL) == ["deal office: P01d M03l", "deal hand A: Q02l", "deal toss:"]


def test_an_older_commitment_is_the_hash_of_salt_and_deal() -> None:
    text = f"salt: {SECRET}\ndeal office: P01d M03l\ndeal hand A: Q02l\ndeal toss:\n"
    assert salted(SECRET, DEAL) == hashlib.sha256(text.encode()).hexdigest()


CARDS = st.lists(st.sampled_from(["P01d", "M03l", "Q02l", "A"]), max_size=4).map(tuple)
DEALS = st.dictionaries(st.sampled_from(["office", "hand A", "hand B", "deck"]), CARDS)


@given(DEALS, DEALS)
def test_no_two_deals_have_the_same_commitment(
    first: dict[str, tuple[str, ...]], second: dict[str, tuple[str, ...]]
) -> None:
    same = list(first.items()) == list(second.items())
    assert (salted(SECRET, first) == salted(SECRET, second)) == same
