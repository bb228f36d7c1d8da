"""The deal's chance and its commitment."""

from __future__ import annotations

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplan.core.deal import (
    SALT_BYTES,
    commitment,
    deal_lines,
    new_salt,
    opens,
    secure_chance,
)

DEAL = {"office": ("P01d", "M03l"), "hand A": ("Q02l",), "toss": ()}
SALT = "ab" * SALT_BYTES


def test_chance_is_the_operating_systems_and_cannot_be_seeded() -> None:
    chance = secure_chance()
    assert isinstance(chance, random.SystemRandom)
    chance.seed(1)
    first = chance.random()
    chance.seed(1)
    assert chance.random() != first
    with pytest.raises(NotImplementedError):
        chance.getstate()


def test_a_salt_is_long_and_new_every_time() -> None:
    salts = {new_salt() for _ in range(100)}
    assert len(salts) == 100
    assert all(len(bytes.fromhex(salt)) == 32 == SALT_BYTES for salt in salts)


def test_a_deal_is_written_line_by_line() -> None:
    assert deal_lines(DEAL) == ["deal office: P01d M03l", "deal hand A: Q02l", "deal toss:"]


def test_the_commitment_is_the_hash_of_exactly_these_lines() -> None:
    text = f"salt: {SALT}\ndeal office: P01d M03l\ndeal hand A: Q02l\ndeal toss:\n"
    assert commitment(SALT, DEAL) == hashlib.sha256(text.encode()).hexdigest()


def test_it_opens_with_its_salt_and_deal_alone() -> None:
    published = commitment(SALT, DEAL)
    assert opens(published, SALT, DEAL)
    assert not opens(published, "ac" * SALT_BYTES, DEAL)
    assert not opens(published.upper(), SALT, DEAL)
    assert not opens(published[:-1], SALT, DEAL)
    for other in (
        {**DEAL, "office": ("M03l", "P01d")},
        {**DEAL, "office": ("P01d",)},
        {**DEAL, "toss": ("A",)},
        {"hand A": ("Q02l",), "office": ("P01d", "M03l"), "toss": ()},
        {"office": ("P01d", "M03l"), "hand A": ("Q02l",)},
        {"office": ("P01d", "M03l"), "hand B": ("Q02l",), "toss": ()},
    ):
        assert not opens(published, SALT, other)


CARDS = st.lists(st.sampled_from(["P01d", "M03l", "Q02l", "A"]), max_size=4).map(tuple)
DEALS = st.dictionaries(st.sampled_from(["office", "hand A", "hand B", "deck"]), CARDS)


@given(DEALS, DEALS)
def test_no_two_deals_have_the_same_commitment(
    first: dict[str, tuple[str, ...]], second: dict[str, tuple[str, ...]]
) -> None:
    same = list(first.items()) == list(second.items())
    assert (commitment(SALT, first) == commitment(SALT, second)) == same
