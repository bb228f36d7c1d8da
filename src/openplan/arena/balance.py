"""Is a deck balanced? What self-play tells of each card, of the seats, the scores and the length.

A match tells by events which cards and seats something happened to. The kinds of events in which a
card comes up are what it was used for; those that carry a value are those that scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations
from math import exp, log, sqrt
from statistics import median
from typing import Any, Final

from openplan.arena.figures import Share, mean, scores
from openplan.arena.tournament import Result, Terms, deck_of, play_out
from openplan.core.game import OPEN, Event
from openplan.core.registry import game_named

LEAST_MATCHES: Final = 30
LEAST_CARDS: Final = 6
"""From fewer than these nothing is concluded."""

Use = tuple[str, str, int, bool]
"""A card, the kind of event, the seat it happened to (-1 for none), and whether it scored."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a study keeps of one match."""

    result: Result
    first: int
    """The seat of the first move."""
    uses: tuple[tuple[Use, int], ...]


def note_match(terms: Terms, number: int) -> Note:
    match, result = play_out(terms, number)
    cards = frozenset(deck_of(terms).cards)
    counted: Counter[Use] = Counter()
    for happening in match.happenings:
        for event in happening.events:
            counted.update(uses_of(event.seen_by(OPEN), cards, match.game.seats))
    seats = (entry.seat for entry in match.log if entry.seat is not None)
    return Note(result, int(next(seats, -1)), tuple(sorted(counted.items())))


def uses_of(event: Event, cards: frozenset[str], seats: Sequence[str]) -> Iterable[Use]:
    code = event.params.get("seat")
    seat = seats.index(code) if isinstance(code, str) and code in seats else -1
    named = event.params.get("card")
    if isinstance(named, str) and named in cards:
        yield named, event.code, seat, "value" in event.params


def study(terms: Terms, notes: Sequence[Note]) -> dict[str, Any]:
    """All figures as plain data."""
    notes = sorted(notes, key=lambda note: note.result.number)
    seats = game_named(terms.game).seats
    matches = len(notes)
    rows = []
    by_card: dict[str, list[tuple[Use, int, Note]]] = {card: [] for card in deck_of(terms).cards}
    for note in notes:
        for use, count in note.uses:
            by_card[use[0]].append((use, count, note))
    for card, uses in by_card.items():
        kinds: Counter[str] = Counter()
        scored = 0
        winner = 0.0
        for (_, code, seat, is_scored), count, note in uses:
            kinds[code] += count
            if is_scored and seat >= 0:
                scored += count
                winner += count * scores(note.result)[seat]
        rows.append(
            {
                "card": card,
                "used": dict(sorted(kinds.items())),
                "scored": scored,
                "scored_rate": round(scored / matches, 4) if matches else 0.0,
                "winner": Share(winner, scored).data(),
            }
        )
    begun = [note for note in notes if note.first >= 0]
    first = Share(sum(scores(note.result)[note.first] for note in begun), len(begun))
    points = [point for note in notes for point in note.result.points]
    return {
        "game": terms.game,
        "matches": matches,
        "bots": terms.bots,
        "cards": rows,
        "first": first.data(),
        "points": {"mean": round(mean(points), 2), "spread": _spread(points)},
        "seats": [
            round(mean([note.result.points[seat] for note in notes]), 2)
            for seat in range(len(seats))
        ],
        "entries": {
            "mean": round(mean([note.result.plies for note in notes]), 2),
            "spread": _spread([note.result.plies for note in notes]),
        },
    }


def _spread(numbers: Iterable[int]) -> dict[str, int]:
    return {str(number): count for number, count in sorted(Counter(numbers).items())}


# -- Value against difficulty ----------------------------------------------------------------


def advised(terms: Terms, figures: Mapping[str, Any]) -> dict[str, Any]:
    """The figures, with each card's title, its value, its worth and what to think of it: `unused`
    if it never comes up, `hard` or `easy` if it scores far less or far more often than cards of
    such a value do in this deck. How hard a card is goes by how seldom it scores. Where no card
    scores by itself, `seldom` or `often` if it is used so beside cards of such worth: what is drawn
    on it, added up. `usual` is the rate of cards of its worth, by which it was judged."""
    game, deck = game_named(terms.game), deck_of(terms)
    pictures = {card: game.card_picture(deck, card) for card in deck.cards}
    matches = figures["matches"]
    scores_itself = any(picture.value is not None for picture in pictures.values())
    too_few, too_many = ("hard", "easy") if scores_itself else ("seldom", "often")

    def judged(row: Mapping[str, Any]) -> tuple[int | None, int]:
        """What it is worth, and how often it did what it is judged by."""
        picture = pictures[row["card"]]
        if scores_itself:
            return picture.value, row["scored"]
        plan = () if picture.plan is None else picture.plan.tiles
        return sum(tile.worth for tile in plan), sum(row["used"].values())

    known = [judged(row) for row in figures["cards"]]
    usual = _usual([(worth, n) for worth, n in known if worth is not None and n], matches)
    rows = []
    for row, (worth, count) in zip(figures["cards"], known, strict=True):
        picture = pictures[row["card"]]
        used = sum(row["used"].values())
        expected = None if worth is None or usual is None else usual(worth)
        advice = ""
        if matches >= LEAST_MATCHES:
            if not used:
                advice = "unused"
            elif expected is not None:
                # So far from what is usual that chance hardly does it, and far enough to matter.
                doubt = 3 * sqrt(expected + 1)
                if count < expected / 1.6 and count < expected - doubt:
                    advice = too_few
                elif count > expected * 1.6 and count > expected + doubt:
                    advice = too_many
        rows.append(
            {
                **row,
                "title": picture.title,
                "value": picture.value,
                "worth": worth,
                "used_rate": round(used / matches, 4) if matches else 0.0,
                "usual": None if expected is None or not matches else round(expected / matches, 4),
                "advice": advice,
            }
        )
    # Where orders are sealed nobody is first.
    return {**figures, "cards": rows} | ({"first": None} if game.sealed else {})


def _usual(scored: Sequence[tuple[int, int]], matches: int) -> Callable[[int], float] | None:
    """How often a card of some worth scores, or is used, in so many matches: a line through the
    logarithms, by the median of all slopes between two cards, which a few odd cards do not bend.
    Nothing where values do not differ."""
    points = [(value, log(count)) for value, count in scored]
    slopes = [
        (other[1] - one[1]) / (other[0] - one[0])
        for one, other in combinations(points, 2)
        if other[0] != one[0]
    ]
    if len(points) < LEAST_CARDS or not slopes or not matches:
        return None
    steep = median(slopes)
    level = median([one - steep * value for value, one in points])
    return lambda value: exp(level + steep * value)


# -- The page --------------------------------------------------------------------------------

_STYLE: Final = """
body { font: 16px/1.4 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; } td, th { padding: .1em .6em; text-align: right; }
td:first-child, th:first-child { text-align: left; } tr:nth-child(even) { background: #f2f2f2; }
svg text { font: 11px sans-serif; }
"""


def page(title: str, figures: Mapping[str, Any]) -> str:
    """The study as one HTML file that needs nothing else."""
    first = figures["first"]
    parts = [
        f"<h1>{escape(title)}: is the deck balanced?</h1>",
        f"<p>{figures['matches']} matches of {escape(', '.join(figures['bots']))}. ",
        f"The first player gets {first['rate']:.1%} ({first['low']:.1%} to {first['high']:.1%}). ",
        f"A match has {figures['entries']['mean']:.1f} moves and ",
        f"{figures['points']['mean']:.1f} points a player, on average.</p>",
        "<h2>Points of a player</h2>",
        _bars(figures["points"]["spread"]),
        "<h2>Moves of a match</h2>",
        _bars(figures["entries"]["spread"]),
        "<h2>Cards by how often they score in a match</h2>",
        _bars({row["card"]: row["scored_rate"] for row in _by_score(figures) if row["scored"]}),
        "<h2>Cards</h2><table><tr><th>card<th>scored<th>by the winner<th>95% interval<th>used as",
    ]
    for row in _by_score(figures):
        winner = row["winner"]
        share = f"{winner['rate']:.0%}" if row["scored"] else ""
        interval = f"{winner['low']:.0%} to {winner['high']:.0%}" if row["scored"] else ""
        used = ", ".join(f"{code} {count}" for code, count in row["used"].items())
        parts.append(
            f"<tr><td>{escape(row['card'])}<td>{row['scored_rate']:.2f}"
            f"<td>{share}<td>{interval}<td>{escape(used)}"
        )
    parts.append("</table>")
    head = f"<!doctype html><meta charset='utf-8'><title>{escape(title)}</title>"
    return f"{head}<style>{_STYLE}</style>\n" + "\n".join(parts) + "\n"


def _by_score(figures: Mapping[str, Any]) -> list[Any]:
    return sorted(figures["cards"], key=lambda row: (-row["scored"], row["card"]))


def _bars(values: Mapping[str, float], height: int = 160) -> str:
    """A bar for each value, with its name below."""
    most = max(values.values(), default=1) or 1
    step = max(14, min(40, 900 // max(1, len(values))))
    drawn = []
    for place, (name, value) in enumerate(values.items()):
        tall = height * value / most
        x = place * step
        drawn.append(
            f"<rect x='{x}' y='{height - tall:.1f}' width='{step - 2}' height='{tall:.1f}' "
            f"fill='#456'><title>{escape(name)}: {value:g}</title></rect>"
            f"<text transform='translate({x + step / 2 + 3:.0f} {height + 34}) rotate(-90)'>"
            f"{escape(name)}</text>"
        )
    width = step * len(values) + 4
    return f"<svg width='{width}' height='{height + 40}' role='img'>{''.join(drawn)}</svg>"
