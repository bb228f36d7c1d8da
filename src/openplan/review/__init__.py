"""After a match: what each decision cost, given what the player could know, and what chance gave.

A decision is judged from the view that its maker had, never by the truth, so that bad luck is not
called a mistake. Of a match that goes on there is no review for anybody.

The graph is drawn through a spectator's eyes. They are the same from the deal to the end, and
nobody's: a seat's own would change with every turn, and the whole truth would move the line for
cards that nobody had seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from openplan.core.game import OPEN, AnyGame, Event, Fortune, Illegal, Remark, Seat
from openplan.core.match import Match
from openplan.core.sentences import LANGUAGES, refused
from openplan.core.telling import tell_event

DEPTH: Final = 2000
"""Tries for each decision, half of them to find the best move and half to compare the two."""
SOUND: Final = 0.02
"""A move that costs less than this of the chance to win is called sound."""
MOMENTS: Final = 3
LOOKS: Final = 6
"""So many searches for each point of the graph: one for every seat that is to act, in each of some
truths that a spectator thought possible."""
SHARE_OF_A_LOOK: Final = 20
"""The depth by this many tries go into each of them."""
_CARRIED_OUT: Final = ("adjudicate", "deadline")


@dataclass(frozen=True, slots=True)
class Decision:
    """One move: the chance to win after the best that was found, and after the one made."""

    number: int
    seat: Seat
    move: str
    best: str
    before: float
    after: float
    why: tuple[Remark, ...] = ()
    """What spoke for the best, as far as its maker could know."""
    truth: tuple[Remark, ...] = ()
    """What was hidden from its maker then."""
    instead: tuple[dict[str, Any], ...] = ()
    """What the best would have done, as its maker would have been told of it; each text in every
    language."""

    @property
    def cost(self) -> float:
        return max(0.0, self.before - self.after)


@dataclass(frozen=True, slots=True)
class Draw:
    """What chance gave with an entry of the log."""

    number: int
    fortune: Fortune


@dataclass(frozen=True, slots=True)
class Judged:
    """All that is found of one entry of the log; the deal has number 0."""

    number: int
    chances: tuple[float, ...]
    """Of each seat to win, after it."""
    decision: Decision | None = None
    draws: tuple[Draw, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatSum:
    """A seat's match in numbers. `sound` is the share of its moves that cost next to nothing;
    `accuracy` how much was kept of the chances to win that the best moves would have given;
    `adjusted` the margin without what the draws were worth."""

    seat: Seat
    decisions: int
    cost: float
    sound: float
    accuracy: float
    luck: float
    margin: int
    adjusted: float


@dataclass(frozen=True, slots=True)
class Review:
    game: str
    evaluator: str
    depth: int
    points: tuple[int, ...]
    """How the match ended."""
    entries: tuple[Judged, ...]

    @property
    def decisions(self) -> list[Decision]:
        return [one.decision for one in self.entries if one.decision is not None]

    @property
    def draws(self) -> list[Draw]:
        return [draw for one in self.entries for draw in one.draws]

    def moments(self) -> list[Decision]:
        """The decisions that cost most, as they came."""
        worst = sorted(self.decisions, key=lambda one: -one.cost)[:MOMENTS]
        return sorted((one for one in worst if one.cost >= SOUND), key=lambda one: one.number)

    def sums(self) -> list[SeatSum]:
        lucks = [0.0 for _ in self.points]
        for draw in self.draws:
            lucks[draw.fortune.seat] += draw.fortune.points
        return [self._sum(Seat(seat), lucks) for seat in range(len(self.points))]

    def _sum(self, seat: Seat, lucks: Sequence[float]) -> SeatSum:
        own = [one for one in self.decisions if one.seat == seat]
        costs = [one.cost for one in own]
        sound = sum(cost < SOUND for cost in costs) / len(costs) if costs else 1.0
        held = sum(one.before for one in own)
        accuracy = 1 - sum(costs) / held if held else 1.0
        margin, adjusted = margins(self.points, lucks, seat)
        return SeatSum(seat, len(own), sum(costs), sound, accuracy, lucks[seat], margin, adjusted)


def margins(points: Sequence[int], lucks: Sequence[float], seat: int) -> tuple[int, float]:
    """By how much a seat is ahead of the best other, and what of that is left without luck: its own
    and the others' on average. The mean of luck is nought, so taking it off favours nobody."""
    others = [other for other in range(len(points)) if other != seat]
    margin = points[seat] - max(points[other] for other in others)
    luck = lucks[seat] - sum(lucks[other] for other in others) / len(others)
    return margin, margin - luck


def check_over(match: Match) -> None:
    """`Illegal` for a match that goes on, or a game without a judge."""
    if match.viewer != OPEN or match.outcome is None:
        raise refused(Illegal, "not-over", "review-not-over")
    if not match.game.evaluator:
        raise refused(Illegal, "no-judge", title=match.game.title)


def review(match: Match, depth: int = DEPTH) -> Review:
    """Everything of a finished match; `Illegal` as for `check_over`."""
    check_over(match)
    game, outcome = match.game, match.outcome
    assert outcome is not None
    entries = tuple(judged(match, depth))
    return Review(game.name, game.evaluator, depth, tuple(outcome.points), entries)


def judged(match: Match, depth: int, first: int = 0) -> Iterator[Judged]:
    """From this entry on, one after the other; each comes out the same wherever one begins."""
    check_over(match)
    game, decided = match.game, decisions_of(match)
    standing = {0, *match.in_force()}
    before = b""
    chances: tuple[float, ...] = ()
    version = -1
    decision: Decision | None = None
    for now in match.walk():
        number = now.ply
        if number >= first:
            if now.outcome is not None or now.version(None) != version:
                chances, version = _chances(now, depth), now.version(None)
            draws = _draws(now, before) if number in standing else []
            yield Judged(number, chances, decision, tuple(draws))
        decision = None
        if number + 1 >= first and number + 1 in decided:
            seat, text = decided[number + 1]
            decision = _judged(now, number + 1, seat, text, depth)
        before = game.dump(now.state)


def tried(match: Match, number: int, text: str, depth: int = DEPTH) -> Decision:
    """Another move in place of a decision, judged as that was; the move is known to be legal."""
    check_over(match)
    decided = decisions_of(match)
    return _judged(match.at(number - 1), number, decided[number][0], text, depth)


def fortunes_of(match: Match) -> Iterator[tuple[int, Fortune]]:
    """What chance gave, with the number of the entry that brought it. What was taken back brought
    nothing: it comes again with the move that stands."""
    standing = {0, *match.in_force()}
    before = b""
    for now in match.walk():
        if now.ply in standing:
            yield from ((draw.number, draw.fortune) for draw in _draws(now, before))
        before = match.game.dump(now.state)


def _draws(now: Match, before: bytes) -> list[Draw]:
    """What chance gave with the last entry; `before` is the table before it."""
    game, is_dealt = now.game, now.ply == 0
    if is_dealt and now.deal is None:
        return []  # set up by hand
    if not is_dealt and now.log[-1].kind not in ("move", *_CARRIED_OUT):
        return []
    found = game.fortunes(None if is_dealt else game.load(now.deck, before), now.state)
    return [Draw(now.ply, fortune) for fortune in found]


def decisions_of(match: Match) -> dict[int, tuple[Seat, str]]:
    """The moves that stand, by their numbers: whose, and what. What was taken back was no decision,
    nor were sealed orders that others replaced before they were carried out, nor what a game master
    entered."""
    moves: dict[int, tuple[Seat, str]] = {}
    later: set[Seat] = set()
    for number in match.in_force():
        entry = match.log[number - 1]
        if entry.kind in _CARRIED_OUT:
            later.clear()
        elif entry.kind == "move":
            seat = entry.of_seat()
            is_masters = number > 1 and match.log[number - 2].kind == "by-master"
            if not is_masters and not (match.game.sealed and seat in later):
                moves[number] = seat, entry.text
            later.add(seat)
    return moves


def _judged(now: Match, number: int, seat: Seat, text: str, depth: int) -> Decision:
    """The same entry is judged the same way each time: chance is drawn by its number."""
    game, view = now.game, now.view(seat)
    made = game.parse_move(now.deck, text)
    best, chance = _best(game, view, depth // 2, number)
    if best == made:
        return Decision(number, seat, text, text, chance, chance)
    # In other truths than those that chose the best: they would flatter it.
    before, after = game.judge(view, [best, made], depth // 2, -number)
    why: list[Remark] = []
    truth: list[Remark] = []
    instead: list[dict[str, Any]] = []
    if before - after >= SOUND:
        why, truth = game.reasons(view, best, made), game.truth(now.state, seat)
        instead = [_told(game, event, seat) for event in game.preview(view, best).events]
    return Decision(
        number,
        seat,
        text,
        game.format_move(now.deck, best),
        before,
        after,
        tuple(why),
        tuple(truth),
        tuple(instead),
    )


def _best(game: AnyGame, view: Any, tries: int, seed: int) -> tuple[Any, float]:
    """The best move that is found, and the chance to win after it. An only move is not looked into
    by a search, so what is told of it there is no chance."""
    found = game.search(view, None, tries, seed)
    move, chance = found[0]
    if len(found) == 1:
        (chance,) = game.judge(view, [move], tries, seed)
    return move, chance


def _told(game: AnyGame, event: Event, seat: Seat) -> dict[str, Any]:
    told = {language: tell_event(game, event, seat, language) for language in LANGUAGES}
    return told["en"] | {"text": {language: one["text"] for language, one in told.items()}}


def _chances(now: Match, depth: int) -> tuple[float, ...]:
    """Of each seat to win, as a spectator would say it: the same for the same view."""
    game = now.game
    seats = len(game.seats)
    if now.outcome is not None:
        winners = now.outcome.winners or tuple(map(Seat, range(seats)))
        return tuple((seat in winners) / len(winners) for seat in range(seats))
    rng, tries = Random(1), max(depth // SHARE_OF_A_LOOK, 1)
    view = game.view(now.state, None)
    total = [0.0] * seats
    truths = max(LOOKS // max(len(game.to_act(now.state)), 1), 1)
    for _ in range(truths):
        state = game.determinize(view, rng)
        own = {
            seat: _best(game, game.view(state, seat), tries, rng.getrandbits(32))[1]
            for seat in sorted(game.to_act(state))
        }
        for seat, chance in enumerate(_shared(own, seats)):
            total[seat] += chance
    return tuple(chance / truths for chance in total)


def _shared(own: dict[Seat, float], seats: int) -> list[float]:
    """Chances that make one together, from those of the seats that are to act. Whoever is not to
    act shares what they leave."""
    said = sum(own.values())
    others = seats - len(own)
    if others and said <= 1:
        return [own.get(Seat(seat), (1 - said) / others) for seat in range(seats)]
    return [own.get(Seat(seat), 0.0) / said for seat in range(seats)]
