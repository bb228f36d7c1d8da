"""Is a deal fair? Statistics for any game, against exact expectations.

The claim that is tested: every deal that the game's `start` accepts is as likely as any other. With
kinds of cards and places as `tests/laws.py` learns them, everything expected is exact:

- each card in each kind of place, each kind of card at each place, each card at each place;
- how many cards of a kind, back, value ... are in a hand (multivariate hypergeometric);
- neighbours in a hand or deck that are alike, hands that are alike, cards in rising order;
- what two deals in a row have in common;
- what chance said in words, among all that it could have said.

An alarm is a p-value below ALARM divided by the number of statistics. Counts are judged by exact
binomial tails, sums over cards and places by chi-square, the others by the normal law where at
least ENOUGH are expected, which far out is wrong by no more than a factor of ten. Both tails count:
what is more even than chance is not chance.

    python tests/fairness.py human-resources --deals 12000
    python tests/fairness.py human-resources --deals 12000 --dealt clumped
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise
from math import erfc, exp, lgamma, log, log1p, sqrt
from pathlib import Path
from random import Random
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from openplan.core.deal import Deal
from openplan.core.registry import game_named
from tests.biases import BIASES
from tests.laws import Law, Unjudged, dealt_by, law_of, words_of
from tests.probes import probe_of

ALARM: Final = 5e-9
"""One false alarm in so many judgements. About twenty are made, so that even with the factor of ten
it is one in a million runs of all tests."""
ENOUGH: Final = 400
LARGEST_HAND: Final = 8
"""Of labels with more cards the composition is not judged: it is what the others leave."""


# -- Tails -----------------------------------------------------------------------------------


def chi_square_tails(x: float, df: int) -> tuple[float, float]:
    """The chances of less and of more: the regularised incomplete gamma functions."""
    a, x = df / 2, x / 2
    if x <= 0:
        return 0.0, 1.0
    front = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-16:
            n += 1
            term *= x / n
            total += term
        lower = min(1.0, front * total)
        return lower, 1 - lower
    b = x + 1 - a
    c = 1e300
    d = h = 1 / b
    for i in range(1, 100_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    upper = min(1.0, front * h)
    return 1 - upper, upper


def normal_p(z: float) -> float:
    return erfc(abs(z) / sqrt(2))


def binomial_p(seen: int, trials: int, chance: float) -> float:
    """Twice the smaller tail, exact."""
    if chance <= 0 or chance >= 1:
        return 1.0 if seen == round(trials * chance) else 0.0
    start = lgamma(trials + 1) - lgamma(seen + 1) - lgamma(trials - seen + 1)
    start += seen * log(chance) + (trials - seen) * log1p(-chance)
    odds = chance / (1 - chance)
    tails = []
    for step in (1, -1):
        k, term, total = seen, 1.0, 1.0
        while 0 <= k + step <= trials and term > total * 1e-17:
            term *= (trials - k) / (k + 1) * odds if step > 0 else k / (trials - k + 1) / odds
            k += step
            total += term
            if total > 1e290:
                break
        tails.append(start + log(total))
    return min(1.0, 2 * exp(min(0.0, *tails)))


# -- Judging ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    what: str
    p: float
    seen: str

    def __str__(self) -> str:
        return f"{self.what}: {self.seen}, p = {self.p:.2g}"


def alarms(law: Law, deals: Sequence[Deal]) -> list[Finding]:
    """What cannot be chance, worst first."""
    found = judge(law, deals)
    return sorted((f for f in found if f.p < ALARM / len(found)), key=lambda f: f.p)


def judge(law: Law, deals: Sequence[Deal]) -> list[Finding]:
    lying = [[deal[label][number] for label, number in law.places] for deal in deals]
    for row in lying:
        if len(set(row)) != len(row) or not law.card_kind.keys() >= set(row):
            raise Unjudged("a card is dealt twice, or not one of this match")
    found = [*_cards_and_places(law, lying)]
    for name, trait in law.traits.items():
        found += _compositions(law, lying, name, trait)
        found += _likeness(law, lying, name, trait)
    found += _rising(law, lying)
    found += _in_a_row(law, lying)
    found += _words_said(law, deals)
    return found


def _chi_square(what: str, x: float, df: int) -> Finding:
    lower, upper = chi_square_tails(x, df)
    return Finding(what, min(1.0, 2 * min(lower, upper)), f"chi-square {x:.0f} where {df} is even")


def _cards_and_places(law: Law, lying: Sequence[Sequence[str]]) -> list[Finding]:
    """For each kind of card and of place the matrix of counts, in its three parts: by card, by
    place, and what is left. In each the expected square is the same in every direction, and known
    exactly: in one deal the parts have the same size however the cards lie."""
    n = len(lying)
    cells: dict[tuple[int, int], Counter[tuple[str, int]]] = defaultdict(Counter)
    for number, place in enumerate(law.places):
        p = law.place_kind[place]
        for card, count in Counter(row[number] for row in lying).items():
            cells[law.card_kind[card], p][card, number] = count
    found = []
    for (c, p), counts in sorted(cells.items()):
        cards = law.cards_of[c]
        numbers = [i for i, place in enumerate(law.places) if law.place_kind[place] == p]
        held, wide, long = law.count[c, p], len(numbers), len(cards)
        by_card = {card: sum(counts[card, i] for i in numbers) for card in cards}
        by_place = {i: sum(counts[card, i] for card in cards) for i in numbers}
        label, number = law.places_of[p][0]
        where = f"cards {law.kind_name(c)} at places as {label} {number + 1}"
        parts = (
            ("cards", by_card.values(), long, held * (1 - held / long)),
            ("places", by_place.values(), wide, held * (1 - held / wide)),
        )
        for what, totals, size, square in parts:
            if size > 1 and square > 1e-9:
                x = sum((total - n * held / size) ** 2 for total in totals)
                found.append(
                    _chi_square(f"{what}, {where}", x * (size - 1) / (n * square), size - 1)
                )
        df = (long - 1) * (wide - 1)
        square = held * (1 - 1 / wide - 1 / long + held / (wide * long))
        if df and square > 1e-9:
            mean = n * held / (wide * long)
            x = sum(
                (counts[card, i] - by_card[card] / wide - by_place[i] / long + mean) ** 2
                for card in cards
                for i in numbers
            )
            found.append(_chi_square(f"cards by places, {where}", x * df / (n * square), df))
    return found


def _compositions(
    law: Law, lying: Sequence[Sequence[str]], name: str, trait: Mapping[str, object]
) -> list[Finding]:
    found = []
    sizes = Counter(trait[card] for card in law.cards)
    values = list(sizes)
    number_of = {card: values.index(trait[card]) for card in law.cards}
    n = len(lying)

    def judged(what: str, seen: int, chance: float) -> None:
        if 1e-12 < chance < 1 - 1e-12:
            shares = f"{100 * seen / n:.2f}%, expected {100 * chance:.2f}%"
            found.append(Finding(what, binomial_p(seen, n, chance), shares))

    for label in dict.fromkeys(label for label, _ in law.places):
        numbers = [i for i, place in enumerate(law.places) if place[0] == label]
        if not 1 < len(numbers) <= LARGEST_HAND:
            continue
        rows = Counter(tuple(sorted([number_of[row[i]] for i in numbers])) for row in lying)
        for number, value in enumerate(values):
            if sizes[value] == 1:
                continue
            seen: Counter[int] = Counter()
            for row, count in rows.items():
                seen[row.count(number)] += count
            cards = frozenset(card for card in law.cards if trait[card] == value)
            for k, chance in law.composition(label, cards).items():
                judged(f"{k} of {name} {value!s:.20} in {label}", seen[k], chance)
        alike = sum(count for row, count in rows.items() if len(set(row)) == 1)
        judged(f"one {name} only in {label}", alike, law.one_trait(label, trait))
    return found


def _mean(what: str, numbers: Sequence[float], expected: float) -> list[Finding]:
    """A mean that is known exactly, by the spread that is seen."""
    n = len(numbers)
    if n * expected < ENOUGH:
        return []
    mean = sum(numbers) / n
    spread = sum((number - mean) ** 2 for number in numbers) / (n - 1)
    gap = mean - expected
    if spread == 0:
        return [Finding(what, 1.0 if abs(gap) < 1e-9 else 0.0, f"always {mean:g}")]
    p = normal_p(gap / sqrt(spread / n))
    return [Finding(what, p, f"{mean:.4f} on average, expected {expected:.4f}")]


def _likeness(
    law: Law, lying: Sequence[Sequence[str]], name: str, trait: Mapping[str, object]
) -> list[Finding]:
    by_label: dict[str, list[int]] = defaultdict(list)
    for i, (label, _) in enumerate(law.places):
        by_label[label].append(i)
    told = [[trait[card] for card in row] for row in lying]
    found = []
    for label, numbers in by_label.items():
        pairs = list(pairwise(numbers))
        if pairs:
            seen = [float(sum(row[i] == row[j] for i, j in pairs)) for row in told]
            expected = sum(law.alike(law.places[i], law.places[j], trait) for i, j in pairs)
            found += _mean(f"neighbours in {label} of one {name}", seen, expected)
    for one, other in combinations(by_label, 2):
        if len(by_label[one]) == len(by_label[other]):
            pairs = [(i, j) for i in by_label[one] for j in by_label[other]]
            seen = [float(sum(row[i] == row[j] for i, j in pairs)) for row in told]
            expected = sum(law.alike(law.places[i], law.places[j], trait) for i, j in pairs)
            found += _mean(f"cards of {one} and {other} of one {name}", seen, expected)
    return found


def _rising(law: Law, lying: Sequence[Sequence[str]]) -> list[Finding]:
    """Neighbours in the order of the deck list, where both places take the same cards."""
    found = []
    ranks = [[law.rank[card] for card in row] for row in lying]
    for label in dict.fromkeys(label for label, _ in law.places):
        numbers = [i for i, place in enumerate(law.places) if place[0] == label]
        pairs = [
            (i, j)
            for i, j in pairwise(numbers)
            if law.place_kind[law.places[i]] == law.place_kind[law.places[j]]
        ]
        seen = [float(sum(row[i] < row[j] for i, j in pairs)) for row in ranks]
        found += _mean(f"rising in {label}", seen, len(pairs) / 2)
    return found


def _in_a_row(law: Law, lying: Sequence[Sequence[str]]) -> list[Finding]:
    """What a deal has in common with the one before."""
    same = [
        float(sum(a == b for a, b in zip(one, other, strict=True)))
        for one, other in pairwise(lying)
    ]
    expected = sum(
        count**2 / (len(law.cards_of[c]) * len(law.places_of[p]))
        for (c, p), count in law.count.items()
        if count
    )
    found = _mean("cards where they lay in the deal before", same, expected)
    slots = [
        (i, i + 1) for i, (one, other) in enumerate(pairwise(law.places)) if one[0] == other[0]
    ]
    chances: dict[tuple[int, int], float] = defaultdict(float)
    for i, j in slots:
        for kinds, chance in law.pair(law.places[i], law.places[j]).items():
            chances[kinds] += chance
    followers = [{(row[i], row[j]) for i, j in slots} for row in lying]
    again = [float(len(one & other)) for one, other in pairwise(followers)]
    expected = sum(chance**2 / law.pairs_in(*kinds) for kinds, chance in chances.items())
    return found + _mean("neighbours as in the deal before", again, expected)


def _words_said(law: Law, deals: Sequence[Deal]) -> list[Finding]:
    silent = {label: 0 for label, _ in law.places}
    said = Counter(words_of(deal, silent) for deal in deals if len(deal) == len(law.labels))
    found = []
    for ways in sorted(set(law.rivals.values()), key=sorted):
        counts = [said[way] for way in sorted(ways)]
        mean = sum(counts) / len(ways)
        if len(ways) > 1 and mean >= 5:
            x = sum((count - mean) ** 2 / mean for count in counts)
            lower, upper = chi_square_tails(x, len(ways) - 1)
            # Two ways fall equally often so readily that only the upper tail tells.
            p = upper if len(ways) == 2 else min(1.0, 2 * min(lower, upper))
            told = ", ".join(" ".join(" ".join(row) for row in way) for way in sorted(ways))
            found.append(Finding(f"said by chance: {told}", p, f"{counts}"))
    return found


# -- As a command ----------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--deals", type=int, default=12_000)
    parser.add_argument("--house", action="append", default=[], help="NAME=CHOICE")
    parser.add_argument("--dealt", default="game", choices=["game", "fair", *BIASES])
    parser.add_argument("--all", action="store_true", help="every statistic, not only the worst")
    given = parser.parse_args()
    game = game_named(given.game)
    law = law_of(game, tuple(tuple(pair.split("=", 1)) for pair in given.house))
    if given.dealt == "game":
        deals = dealt_by(game, law.deck, law.house, given.deals)
    else:
        rng = Random("fairness")
        way = BIASES.get(given.dealt, Law.fair)
        deals = [way(law, rng) for _ in range(given.deals)]
    print(f"{game.title}: {given.deals:,} deals, {given.dealt}")
    for what, holds, exact in probe_of(game).opening_figures(law):
        seen = sum(map(holds, deals))
        print(f"  {what}: {100 * seen / len(deals):.1f}%, exactly {100 * exact:.2f}% if fair")
    found = sorted(judge(law, deals), key=lambda finding: finding.p)
    bad = sum(finding.p < ALARM / len(found) for finding in found)
    print(f"  {len(found)} statistics, {bad} cannot be chance; the least likely:")
    for finding in islice(found, None if given.all else 8):
        print(f"    {finding}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
