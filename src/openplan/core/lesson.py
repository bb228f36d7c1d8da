"""A lesson: a game taught by playing it. Its file, `lesson.toml` beside a game's rules:

    you = "A"                               the seat that the pupil has

    [[chapter]]
    title = { en = "Your first cubicle", de = "..." }
    [chapter.position]                      the table: keys of the game's positions, as in cases
    office = ["DL", "LD"]
    "hand A" = "P05d M01l"
    deck = "P07d P08l"

    [[chapter.step]]
    say = { en = "Choose the card ...", de = "..." }
    expect = ["place P05d *"]               one of these moves; `*` stands for anything
    nudge = { en = "Not quite ...", de = "..." }    said when another move is tried
    replies = ["B: place P03l S2"]          what the others then do; `-: deadline` is nobody's
    point = ["E2", "S2"]                    squares that stand out meanwhile

A step without `expect` is only told and goes on by a click. Nothing is kept between steps: whoever
goes through a lesson says each time which steps are done.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from openplan.core.deck import Deck
from openplan.core.game import AnyGame, GameError, Illegal, Position, Seat
from openplan.core.match import Match
from openplan.core.sentences import LANGUAGES

FILE: Final = "lesson.toml"
NO_SEAT: Final = "-"
GO_ON: Final = ""
"""Stands for a step that is only told, among the moves that are done."""


class LessonError(ValueError):
    """A lesson's file that cannot be used: where, and why."""


Words = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Step:
    say: Words
    expect: tuple[str, ...]
    nudge: Words
    replies: tuple[tuple[str, str], ...]
    point: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    title: Words
    position: Position
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    you: Seat
    chapters: tuple[Chapter, ...]


# -- Reading ---------------------------------------------------------------------------------


def parse_lesson(text: str, game: AnyGame) -> Lesson:
    try:
        table = tomllib.loads(text)
        if table["you"] not in game.seats:
            raise ValueError(f"there is no seat {table['you']!r}")
        you = Seat(game.seats.index(table["you"]))
        chapters = [
            Chapter(
                _words(chapter["title"]),
                {
                    key: value if isinstance(value, str) else tuple(value)
                    for key, value in chapter["position"].items()
                },
                tuple(_step(step, game) for step in chapter["step"]),
            )
            for chapter in table["chapter"]
        ]
    except KeyError as error:
        raise LessonError(f"{FILE} of {game.name}: {error} is missing") from None
    except ValueError as error:
        raise LessonError(f"{FILE} of {game.name}: {error}") from None
    return Lesson(you, tuple(chapters))


def _words(words: Any) -> Words:
    if not isinstance(words, dict) or set(words) != set(LANGUAGES):
        raise ValueError(f"{words!r} is not said in each of {', '.join(LANGUAGES)}")
    return {language: " ".join(words[language].split()) for language in LANGUAGES}


def _step(step: Mapping[str, Any], game: AnyGame) -> Step:
    if unknown := set(step) - {"say", "expect", "nudge", "replies", "point"}:
        raise ValueError(f"a step has no {', '.join(sorted(unknown))}")
    replies = []
    for line in step.get("replies", ()):
        seat, colon, text = line.partition(":")
        if not colon or seat not in (*game.seats, NO_SEAT):
            raise ValueError(f"{line!r} does not begin with a seat and a colon")
        replies.append((seat, text.strip()))
    expect = tuple(step.get("expect", ()))
    nudge = _words(step["nudge"]) if expect else {}
    return Step(_words(step["say"]), expect, nudge, tuple(replies), tuple(step.get("point", ())))


# -- Going through it ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stand:
    """Where somebody is: the match so far, the step to be done, none if the chapter is. `before`
    counts the entries that were there before the last step was done."""

    match: Match
    step: Step | None
    before: int


def stand(
    game: AnyGame, deck: Deck, lesson: Lesson, chapter: int, done: Sequence[str], language: str
) -> Stand:
    """The chapter after these moves. One that the lesson did not ask for is refused with a nudge,
    one against the rules as anywhere."""
    if not 0 <= chapter < len(lesson.chapters):
        raise Illegal("no-chapter", f"the lesson has {len(lesson.chapters)} chapters")
    steps = lesson.chapters[chapter].steps
    if len(done) > len(steps):
        raise Illegal("no-step", f"the chapter has {len(steps)} steps")
    match = Match.from_position(game, deck, None, lesson.chapters[chapter].position)
    before = 0
    for step, text in zip(steps, done, strict=False):
        before = match.ply
        if step.expect:
            move = game.format_move(deck, game.parse_move(deck, text))
            refusal = game.why_not(match.view(lesson.you), game.parse_move(deck, text))
            if refusal is not None:
                reason = game.say(refusal.code, refusal.params, language)
                raise Illegal(refusal.code, reason, refusal.clause)
            if not any(fnmatchcase(move, pattern) for pattern in step.expect):
                raise Illegal("not-asked", step.nudge[language])
            match.submit(lesson.you, text)
        elif text != GO_ON:
            raise Illegal("not-asked", step.say[language])
        for seat, reply in step.replies:
            if seat == NO_SEAT:
                match.enter(reply, None)
            else:
                match.submit(Seat(game.seats.index(seat)), reply)
    return Stand(match, steps[len(done)] if len(done) < len(steps) else None, before)


def faults(game: AnyGame, deck: Deck, lesson: Lesson) -> list[str]:
    """What keeps the lesson from being played to its end by the first move that each step asks for,
    with `*` filled in by the first move that fits."""
    found = []
    for number, chapter in enumerate(lesson.chapters):
        done: list[str] = []
        try:
            for step in chapter.steps:
                now = stand(game, deck, lesson, number, done, LANGUAGES[0])
                done.append(_answer(game, now.match, lesson.you, step))
            stand(game, deck, lesson, number, done, LANGUAGES[0])
        except GameError as error:
            found.append(f"chapter {number + 1}, step {len(done)}: {error}")
    return found


def _answer(game: AnyGame, match: Match, you: Seat, step: Step) -> str:
    if not step.expect:
        return GO_ON
    wanted = step.expect[0]
    if "*" not in wanted:
        return wanted
    for move in game.moves(match.view(you)):
        text = game.format_move(match.deck, move)
        if fnmatchcase(text, wanted):
            return text
    raise Illegal("no-move", f"no move is like {wanted!r}")
