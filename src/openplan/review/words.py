"""A review for its readers: as plain data, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any, Final

from openplan.core.game import AnyGame, Remark, Seat
from openplan.core.sentences import Sentences, spoken_in
from openplan.review import MOMENTS, SOUND, Decision, Draw, Review, SeatSum

POINTS: Final = 12
"""Of the graph, in words."""
DRAWS: Final = 3

_say: Final = Sentences.of("review").say
_GIFTS: Final = ("deal", "dark", "light")


def why(game: AnyGame, one: Decision, language: str) -> str:
    """Why the best move was better; nothing of a move that was as good."""
    if one.best == one.move:
        return ""
    told = _told(game, one.why, language)
    return told or _sentence(_say("by-tries" if one.cost else "as-good", {}, language))


def truth(game: AnyGame, one: Decision, language: str) -> str | None:
    """What its maker could not know; nothing where nothing was hidden that mattered."""
    return _told(game, one.truth, language) or None


def _told(game: AnyGame, remarks: Sequence[Remark], language: str) -> str:
    return " ".join(_sentence(game.say(one.code, one.params, language)) for one in remarks)


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}."


def as_data(game: AnyGame, found: Review, language: str = "en") -> dict[str, Any]:
    """As plain data, stable for programs, with sentences in a language."""
    codes = game.seats
    return {
        "game": found.game,
        "evaluator": found.evaluator,
        "depth": found.depth,
        "graph": [
            {"entry": one.number, "chances": [round(chance, 4) for chance in one.chances]}
            for one in found.entries
        ],
        "decisions": [
            {
                "entry": one.number,
                "seat": codes[one.seat],
                "move": one.move,
                "best": one.best,
                "before": round(one.before, 4),
                "after": round(one.after, 4),
                "cost": round(one.cost, 4),
                "why": why(game, one, language),
                "truth": truth(game, one, language),
                "best_events": [
                    {**event, "text": event["text"][language]} for event in one.instead
                ],
            }
            for one in found.decisions
        ],
        "draws": [
            {
                "entry": one.number,
                "seat": codes[one.fortune.seat],
                "what": one.fortune.what,
                "luck": round(one.fortune.points, 3),
                "error": round(one.fortune.error, 3),
                "among": one.fortune.among,
            }
            for one in found.draws
        ],
        "moments": [one.number for one in found.moments()],
        "seats": [
            {
                "seat": codes[one.seat],
                "decisions": one.decisions,
                "cost": round(one.cost, 4),
                "sound": round(one.sound, 4),
                "accuracy": round(one.accuracy, 4),
                "luck": round(one.luck, 3),
                "margin": one.margin,
                "adjusted": round(one.adjusted, 3),
            }
            for one in found.sums()
        ],
    }


def told(
    game: AnyGame, found: Review, width: int, language: str = "en", seat: Seat | None = None
) -> list[str]:
    """In words for the text board and for letters, no line wider than this. For one seat: its own
    moments, and its own sums first."""
    language = spoken_in(language)
    sums = sorted(found.sums(), key=lambda one: one.seat != seat)
    lines: list[str] = []
    for one in sums:
        lines += [line for said in _sum(game, one, language) for line in _wrapped(said, width)]
        lines.append("")
    for part in (_moments(game, found, language, seat), _graph(game, found, language)):
        for said in part:
            lines += _wrapped(said, width)
        lines.append("")
    drawn = [line for said in _draws(game, found, language) for line in _wrapped(said, width)]
    judge = _say("judge", {"evaluator": found.evaluator, "depth": found.depth}, language)
    return [*lines, *drawn, *([""] if drawn else []), *wrap(judge, width)]


def _wrapped(said: str, width: int) -> list[str]:
    """What is indented goes on under its beginning."""
    indent = " " * (len(said) - len(said.lstrip()))
    return wrap(said.strip(), width, initial_indent=indent, subsequent_indent=indent + "  ")


def _sum(game: AnyGame, one: SeatSum, language: str) -> Iterator[str]:
    moves = {
        "seat": game.seat_name(one.seat, language),
        "sound": round(one.sound * one.decisions),
        "count": one.decisions,
        "limit": round(100 * SOUND),
        "cost": round(100 * one.cost),
    }
    yield _say("sum-moves", moves, language)
    yield "  " + _say("sum-accuracy", {"accuracy": round(100 * one.accuracy)}, language)
    margin = {
        "margin": f"{one.margin:+}",
        "luck": f"{one.margin - one.adjusted:+.1f}",
        "skill": f"{one.adjusted:+.1f}",
    }
    yield "  " + _say("sum-margin", margin, language)


def _moments(game: AnyGame, found: Review, language: str, seat: Seat | None) -> Iterator[str]:
    moments = found.moments() if seat is None else own_moments(found, seat)
    if not moments:
        yield _say("no-moments", {}, language)
        return
    yield _say("moments" if seat is None else "own-moments", {}, language)
    for one in moments:
        facts = {
            "number": one.number,
            "seat": game.seat_name(one.seat, language),
            "move": one.move,
            "before": round(100 * one.after),
            "best_chance": round(100 * one.before),
        }
        yield "  " + _say("moment", facts, language)
        better = {"best": one.best, "why": why(game, one, language)}
        yield "    " + _say("better", better, language)
        hidden = truth(game, one, language)
        if hidden:
            yield "    " + _say("unknown", {"truth": hidden}, language)


def own_moments(found: Review, seat: Seat) -> list[Decision]:
    """What cost one seat most, as it came."""
    own = [one for one in found.decisions if one.seat == seat and one.cost >= SOUND]
    worst = sorted(own, key=lambda one: -one.cost)[:MOMENTS]
    return sorted(worst, key=lambda one: one.number)


def _graph(game: AnyGame, found: Review, language: str) -> Iterator[str]:
    """As many points as can be read, with the first and the last."""
    yield _say("graph", {}, language)
    last = len(found.entries) - 1
    step = max(1, -(-last // (POINTS - 1)))
    names = [game.seat_name(Seat(seat), language) for seat in range(len(game.seats))]
    for number in [*range(0, last, step), last]:
        chances = zip(names, found.entries[number].chances, strict=True)
        said = ", ".join(f"{name} {chance:.0%}" for name, chance in chances)
        yield "  " + _say("point", {"number": number, "chances": said}, language)


def _draws(game: AnyGame, found: Review, language: str) -> Iterator[str]:
    most = sorted(found.draws, key=lambda one: -abs(one.fortune.points))[:DRAWS]
    if most:
        yield _say("draws", {}, language)
    for one in sorted(most, key=lambda one: one.number):
        yield "  " + _drawn(game, one, language)


def _drawn(game: AnyGame, one: Draw, language: str) -> str:
    gift = one.fortune
    facts = {
        "number": one.number,
        "seat": game.seat_name(gift.seat, language),
        "what": _say(gift.what, {}, language) if gift.what in _GIFTS else gift.what,
        "luck": f"{gift.points:+.1f}",
    }
    if not gift.error:
        return _say("draw", facts, language)
    return _say("draw-sampled", {**facts, "error": f"{2 * gift.error:.1f}"}, language)
