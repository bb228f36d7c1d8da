"""Chance is fair in every game: the deal, what a viewer imagines, and the kernels' generators.

`tests/fairness.py` says what fair means and how it is measured. Everything here is seeded. Twenty
judgements at its ALARM err together about once in a million, would they be drawn anew each time.
"""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise, permutations
from math import comb
from random import Random
from typing import Any

import pytest

from openplan.core.deal import Deal
from openplan.core.deck import Deck
from openplan.core.registry import all_games
from tests.biases import BIASES
from tests.fairness import alarms, binomial_p, chi_square_tails, judge, normal_p
from tests.laws import LAWS, Law, Unjudged, dealt_by, learn
from tests.probes import probe_of, viewers
from tests.tender import DECK, GAME

DEALS = 3000


EVERY_LAW = pytest.mark.parametrize("name", LAWS)


def told(found: list[Any]) -> str:
    return "\n".join(map(str, found[:10]))


# -- The deals -------------------------------------------------------------------------------


@EVERY_LAW
def test_every_deal_is_as_likely_as_any_other(name: str) -> None:
    law = LAWS[name]()
    found = alarms(law, dealt_by(law.game, law.deck, law.house, DEALS))
    assert not found, told(found)


def test_kinds_of_cards_and_places_are_learned() -> None:
    law = LAWS["human-resources"]()
    assert sorted(law.count.values()) == [2, 2, 25, 25]
    assert {label for label, _ in law.places_of[law.place_kind["deck", 0]]} == {
        "hand A",
        "hand B",
        "deck",
    }
    assert sorted(map(len, law.rivals.values())) == [1, 1, 2, 2]  # a toss has two sides
    assert law.one_trait("hand A", law.traits["kind"]) == pytest.approx(
        2 * comb(25, 3) / comb(50, 3)
    )
    law = LAWS["cube-farm"]()
    assert sorted(law.count.values()) == [1, 3, 50]
    assert list(law.rivals) == [()]


def test_a_card_that_never_comes_where_it_may_lie_is_noticed() -> None:
    law = LAWS["cube-farm"]()
    rng = Random(3)
    deals: list[Deal] = []
    while len(deals) < 3000:
        deal = law.fair(rng)
        if deal["hand S"][0] != "17":
            deals.append(deal)
    with pytest.raises(Unjudged, match="17 never comes to hand S, place 1, though it may"):
        learn(law.game, law.deck, law.house, deals)


# -- What a viewer imagines ------------------------------------------------------------------

IMAGINED = {"human-resources": 1500, "tender": 4000}
"""Tables of other games take longer to lay out."""


@EVERY_LAW
def test_deals_imagined_from_a_first_view_are_fair(name: str) -> None:
    """Who sees a fair deal and imagines one that looks the same gets a fair deal again: as likely
    as any other, if what was seen is forgotten."""
    law = LAWS[name]()
    probe = probe_of(law.game)
    rng = Random(f"imagined {name}")
    everybody = viewers(law.game)
    deals = []
    for number in range(IMAGINED.get(law.game.name, 250)):
        _, state = law.begun(rng)
        view = law.game.view(state, everybody[number % len(everybody)])
        deals.append(probe.dealt(law.game.determinize(view, rng), rng))
    found = alarms(law, deals)
    assert not found, told(found)


# -- Planted biases --------------------------------------------------------------------------

GROSS = [bias for bias in BIASES if bias != "modulo"]


@pytest.mark.parametrize("bias", GROSS)
@pytest.mark.parametrize(("name", "count"), [("human-resources", 1000), ("cube-farm", 2000)])
def test_a_planted_bias_is_noticed(name: str, count: int, bias: str) -> None:
    law = LAWS[name]()
    rng = Random(f"{name} {bias}")
    assert alarms(law, [BIASES[bias](law, rng) for _ in range(count)])


def test_a_byte_of_chance_divided_is_noticed() -> None:
    """By 50 it is off by so little that 4,000 deals do not tell; 12,000 do."""
    law = LAWS["cube-farm"]()
    rng = Random("modulo")
    found = alarms(law, [BIASES["modulo"](law, rng) for _ in range(12_000)])
    assert found[0].what.startswith("cards by places")


@pytest.mark.parametrize("bias", GROSS)
def test_a_planted_bias_is_noticed_in_the_toy_game(bias: str) -> None:
    """But no card of it is bound to a place that others of its kind could take, so that nothing can
    clump."""
    law = LAWS["tender"]()
    rng = Random(bias)
    found = alarms(law, [BIASES[bias](law, rng) for _ in range(2000)])
    assert bool(found) == (bias != "clumped")


@pytest.mark.parametrize("share", [0.85, 1.0])
def test_a_toss_that_favours_a_seat_is_noticed(share: float) -> None:
    law = LAWS["human-resources"]()
    rng = Random(7)
    deals: list[Deal] = []
    for deal in dealt_by(law.game, law.deck, law.house, 2000):
        if len(deal["start"]) == 2:
            starts = "A" if rng.random() < share else "B"
            deal = {**deal, "start": (starts, "toss")}
        deals.append(deal)
    assert any(f.what == "said by chance: A toss, B toss" for f in alarms(law, deals))


def test_deals_that_repeat_themselves_are_noticed() -> None:
    law = LAWS["cube-farm"]()
    rng = Random(8)
    deals = [law.fair(rng)]
    while len(deals) < 2000:
        deals.append(deals[-1] if rng.random() < 0.05 else law.fair(rng))
    assert any("in the deal before" in finding.what for finding in alarms(law, deals))


def test_deals_more_even_than_chance_are_noticed() -> None:
    """Every order of which each card comes to each place once, then the next."""
    law = LAWS["tender"]()
    rng = Random(9)
    deals: list[Deal] = []
    while len(deals) < 2000:
        bids = rng.sample(DECK.cards[:9], 9)
        for turn in range(9):
            row = bids[turn:] + bids[:turn]
            hands = {f"hand {c}": tuple(row[3 * n : 3 * n + 3]) for n, c in enumerate("ABC")}
            deals.append({**hands, "contracts": law.fair(rng)["contracts"]})
    assert any(finding.what.startswith("cards by places") for finding in alarms(law, deals))


# -- The judge himself -----------------------------------------------------------------------


def test_fair_deals_are_judged_fair_and_not_too_fair() -> None:
    p = []
    for name, law in LAWS.items():
        rng = Random(f"fair {name}")
        deals = [law().fair(rng) for _ in range(800)]
        p += [finding.p for finding in judge(law(), deals)]
    assert 0.01 < sum(one < 0.05 for one in p) / len(p) < 0.08
    assert min(p) > 0.01 / len(p)


def test_tails() -> None:
    """Against values worked out elsewhere, sums, and each other."""
    for x, df, upper in ((3.841459, 1, 0.05), (18.307038, 10, 0.05), (149.449253, 100, 0.001)):
        assert chi_square_tails(x, df)[1] == pytest.approx(upper, rel=1e-5)
    # With two degrees of freedom it is exp(-x / 2), far out too.
    assert chi_square_tails(60, 2)[1] == pytest.approx(9.357622968840175e-14, rel=1e-9)
    for x, df in ((1.0, 3), (40, 50), (2300, 2450), (2700, 2450)):
        assert sum(chi_square_tails(x, df)) == pytest.approx(1)
    assert normal_p(4.5) == pytest.approx(chi_square_tails(4.5**2, 1)[1], rel=1e-9)
    for seen in range(21):
        ways = [comb(20, k) * 0.3**k * 0.7 ** (20 - k) for k in range(21)]
        tails = sum(ways[: seen + 1]), sum(ways[seen:])
        assert binomial_p(seen, 20, 0.3) == pytest.approx(min(1, 2 * min(tails)))
    exact = sum(comb(1000, k) * 3 ** (1000 - k) for k in range(330, 1001)) / 4**1000
    assert binomial_p(330, 1000, 0.25) == pytest.approx(2 * exact)


def small_law() -> tuple[Law, list[Deal]]:
    """Seven cards, two of them on a place that takes only dark ones, and every deal there is."""
    cards = ("d1", "d2", "d3", "d4", "l1", "l2", "l3")
    pairs = [(label, number) for label in ("hand A", "hand B", "deck") for number in (0, 1)]
    places = (("office", 0), *pairs)
    kind = {card: int(card[0] == "l") for card in cards}
    place_kind = {place: int(place[0] != "office") for place in places}
    count = Counter({(0, 0): 1, (0, 1): 3, (1, 1): 3})
    deck = Deck("small", "Small", "00" * 32, cards)
    labels = ("office", "hand A", "hand B", "deck")
    law = Law(GAME, deck, {}, places, cards, place_kind, kind, count, labels, {})
    every = [
        law.deal_from(dict(zip(places, row, strict=True)))
        for row in permutations(cards)
        if row[0][0] == "d"
    ]
    return law, every


def test_expectations_are_exact() -> None:
    """All deals once: every mean is what it must be, every square as large as it is expected."""
    law, every = small_law()
    assert len(every) == 4 * 720
    for trait in law.traits.values():
        for label in law.labels:
            for value in set(trait.values()):
                cards = frozenset(card for card in law.cards if trait[card] == value)
                seen = Counter(len(cards.intersection(deal[label])) for deal in every)
                for k, chance in law.composition(label, cards).items():
                    assert chance == pytest.approx(seen[k] / len(every))
        for one in law.places:
            for other in law.places:
                if one != other:
                    same = sum(
                        trait[deal[one[0]][one[1]]] == trait[deal[other[0]][other[1]]]
                        for deal in every
                    )
                    assert law.alike(one, other, trait) == pytest.approx(same / len(every))


def test_squares_are_as_large_as_expected() -> None:
    """In a single deal, however the cards lie, each part is as large as its degrees of freedom, so
    that on average over many it is too."""
    law, every = small_law()
    for deal in Random(4).sample(every, 40):
        parts = [finding.seen.split() for finding in judge(law, [deal])]
        squares = [part for part in parts if part[0] == "chi-square"]
        assert len(squares) == 6
        assert all(x == df for _, x, _, df, *_ in squares)


# -- The kernels' generators -----------------------------------------------------------------


def generators() -> dict[str, Any]:
    found = {}
    for name, game in all_games().items():
        package = type(game).__module__.rpartition(".")[0]
        if find_spec(f"{package}.kernel") is not None:
            found[name] = import_module(f"{package}.kernel.codes").Rng
    return found


@pytest.mark.plain
@pytest.mark.parametrize("first", [0, 2**31 - 5000, 12_345_678_901])
@pytest.mark.parametrize("name", generators())
def test_seeds_in_a_row_draw_independently(name: str, first: int) -> None:
    """Matches and tries are seeded with numbers in a row. What is drawn first with each, first and
    next with one, and first with one and the next: all pairs equally often."""
    make = generators()[name]
    sides, count = 50, 30_000
    rows = []
    for seed in range(first, first + count):
        rng = make(seed)
        rows.append([rng.below(sides) for _ in range(4)])
    tables = {
        "first and second": Counter((row[0], row[1]) for row in rows),
        "first and third": Counter((row[0], row[2]) for row in rows),
        "third and fourth": Counter((row[2], row[3]) for row in rows),
        "neighbours": Counter((one[0], other[0]) for one, other in pairwise(rows)),
        "next but one": Counter((a[0], b[0]) for a, b in zip(rows, rows[2:], strict=False)),
        "next but seven": Counter((a[0], b[0]) for a, b in zip(rows, rows[8:], strict=False)),
    }
    for what, table in tables.items():
        mean = table.total() / sides**2
        pairs = [(a, b) for a in range(sides) for b in range(sides)]
        x = sum((table[pair] - mean) ** 2 / mean for pair in pairs)
        assert min(chi_square_tails(x, sides**2 - 1)) > 1e-9, (what, x)


@pytest.mark.plain
@pytest.mark.parametrize("name", generators())
def test_every_seed_draws_something_else(name: str) -> None:
    make = generators()[name]
    seeds = [*range(5000), *(2**k for k in range(13, 62)), *(2**32 - k for k in range(1, 99))]
    drawn = {tuple(rng.next() for _ in range(3)) for rng in map(make, seeds)}
    assert len(drawn) == len(seeds)
    rng = make(77)
    rng.next()
    rng.restart(5)
    fresh = make(5)
    assert [rng.next() for _ in range(9)] == [fresh.next() for _ in range(9)]


@pytest.mark.plain
def test_every_kernel_has_the_same_generator() -> None:
    """Each kernel is a library of its own and has a copy, so that a draw is no call through Python;
    but it is one generator."""
    drawn = set()
    for make in generators().values():
        made = [make(seed) for seed in (0, 7, 2**40 + 1)]
        drawn.add(tuple(rng.below(10**6) for rng in made for _ in range(50)))
    assert len(drawn) == 1


@pytest.mark.plain
@pytest.mark.parametrize("sides", [2, 6, 50, 62])
@pytest.mark.parametrize("name", generators())
def test_numbers_below_are_even(name: str, sides: int) -> None:
    rng = generators()[name](sides)
    counts = Counter(rng.below(sides) for _ in range(60_000))
    assert set(counts) <= set(range(sides))
    mean = 60_000 / sides
    x = sum((counts[side] - mean) ** 2 / mean for side in range(sides))
    assert chi_square_tails(x, sides - 1)[1] > 1e-9
