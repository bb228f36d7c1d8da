"""What can be looked up and learned without a table: decks, numbered cases, lessons. All of it is
public, and nothing here is kept."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Annotated, Any, Final

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from openplan.core import cases
from openplan.core.deck import Deck
from openplan.core.game import OPEN, AnyGame, GameError, Illegal
from openplan.core.lesson import FILE, Lesson, Stand, parse_lesson, stand
from openplan.core.match import Match
from openplan.core.record import viewer_name
from openplan.core.registry import files_beside, game_named
from openplan.core.scene import data_of
from openplan.core.telling import tell_view
from openplan.decks import load_deck, shipped
from openplan.server.errors import Missing
from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
    Invite,
    Req,
    Text,
    language_of,
    session_of,
    site_of,
)
from openplan.server.store import Tx
from openplan.server.tables import choices, view_model
from openplan.server.tables.access import find
from openplan.server.tables.match_cache import deck_of

# -- Decks -----------------------------------------------------------------------------------


class CardSight(msgspec.Struct):
    """A card's face. `drawing` holds the rows of its pattern or floor plan, `worths` what letters
    of it are worth."""

    name: str
    title: str
    back: str
    value: int | None
    drawing: tuple[str, ...]
    text: str
    quip: str
    worths: dict[str, int]


class DeckSight(msgspec.Struct):
    name: str
    title: str
    hash: str
    cards: dict[str, CardSight]


@get("/api/games/{game:str}/decks/{deck:str}", responses=REFUSED)
async def deck(request: Req, game: FromPath[str], deck: FromPath[str]) -> DeckSight:
    """Every face of a deck that comes with the game, in your language."""
    return await asyncio.to_thread(_shipped_deck, game, deck, language_of(request))


@get("/api/tables/{table:str}/deck", responses=REFUSED)
async def deck_at_table(request: Req, table: FromPath[str], invite: Invite = "") -> DeckSight:
    """Every face of the deck that a table plays with, in your language where it has it."""
    language = language_of(request)

    def work(tx: Tx, person: Any) -> DeckSight:
        here = find(tx, table, person, invite)
        return faces(here.game, deck_of(tx, here.row), language)

    return await site_of(request).look(session_of(request), work)


@cache
def _shipped_deck(game_name: str, name: str, language: str) -> DeckSight:
    game = game_named(game_name)
    if name not in shipped(game):
        raise Missing
    return faces(game, load_deck(game, name), language)


def faces(game: AnyGame, deck: Deck, language: str) -> DeckSight:
    """Every card of a deck as it is drawn."""
    pictures = {card: data_of(game.card_picture(deck, card, language)) for card in deck.cards}
    cards = {card: CardSight(**picture) for card, picture in pictures.items()}
    known = deck.translations.get(language)
    return DeckSight(deck.name, known.title if known else deck.title, deck.hash, cards)


# -- Cases -----------------------------------------------------------------------------------


class CaseTitle(msgspec.Struct):
    name: str
    clause: str
    title: str


class CaseLine(msgspec.Struct):
    """What is done, refused or expected, and the table after it where that changed it."""

    verb: str
    seat: str
    text: str
    reason: str
    clause: str
    view: dict[str, Any] | None


class CaseSight(msgspec.Struct):
    name: str
    clause: str
    title: str
    deck: str
    viewer: str
    view: dict[str, Any]
    lines: list[CaseLine]


@get("/api/games/{game:str}/cases", responses=REFUSED)
async def case_titles(game: FromPath[str]) -> list[CaseTitle]:
    """All numbered cases: what each shows, and of which clause."""
    found = await asyncio.to_thread(_cases, game)
    return [CaseTitle(case.name, clause_of(case), case.title) for case in found]


@get("/api/games/{game:str}/cases/{clause:str}", responses=REFUSED)
async def cases_of_clause(
    request: Req, game: FromPath[str], clause: FromPath[str]
) -> list[CaseSight]:
    """The cases of one clause (or one case by its own name), with the table at every step."""
    return await asyncio.to_thread(_cases_of, game, clause, language_of(request))


@cache
def _cases(game_name: str) -> list[cases.Case]:
    game = game_named(game_name)
    return [
        case
        for name, text in files_beside(game, "cases", ".case")
        for case in cases.parse_cases(text, name, game)
    ]


def clause_of(case: cases.Case) -> str:
    """HR.5.4.2 is a case of HR-5.4."""
    return case.name.rpartition(".")[0].replace(".", "-", 1)


def _cases_of(game_name: str, clause: str, language: str) -> list[CaseSight]:
    found = [case for case in _cases(game_name) if clause in (clause_of(case), case.name)]
    if not found:
        raise Missing
    game = game_named(game_name)
    deck = load_deck(game)
    return [_played(game, deck, case, language) for case in found]


def _played(game: AnyGame, deck: Deck, case: cases.Case, language: str) -> CaseSight:
    match = Match.from_position(game, deck, None, case.position)

    def view() -> dict[str, Any]:
        return tell_view(game, match.view(OPEN), language)

    first = view()
    lines = []
    for line in case.lines:
        shown, reason = None, ""
        ply = match.ply
        if line.verb == "do":
            cases.carry_out(match, line)
        elif line.verb == "refuse":
            reason = _reason(match, line, language)
        if match.ply > ply:
            shown = view()
        clause = line.refusal.partition(" ")[2]
        text = "\n".join((line.text, *line.rows))
        lines.append(CaseLine(line.verb, line.seat, text, reason, clause, shown))
    viewer = viewer_name(game, OPEN)
    return CaseSight(case.name, clause_of(case), case.title, deck.name, viewer, first, lines)


def _reason(match: Match, line: cases.Line, language: str) -> str:
    try:
        cases.carry_out(match, line)
    except Illegal as error:
        return match.game.say(error.code, error.params, language)
    except GameError as error:
        return error.reason
    return ""


# -- Lessons ---------------------------------------------------------------------------------


class LessonRequest(Asked, frozen=True):
    """The chapter, and what was done in it: a move for each step that asks for one, else an empty
    text."""

    chapter: Annotated[int, Meta(ge=0, le=100)]
    done: Annotated[list[Text], Meta(max_length=100)]


class LessonSteps(LessonRequest, frozen=True):
    steps: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=100)]


class LessonTry(LessonRequest, frozen=True):
    move: Text


class LessonSight(msgspec.Struct):
    """Where you are in a lesson. With nothing to `say` the chapter is done."""

    chapter: int
    chapters: int
    title: str
    step: int
    steps: int
    say: str | None
    wants_move: bool
    point: tuple[str, ...]
    you: str
    seats: tuple[str, ...]
    deck: str
    house: dict[str, str]
    version: int
    may_act: bool
    view: dict[str, Any]
    news: list[view_model.Told]


@post("/api/games/{game:str}/lesson", status_code=200, responses=REFUSED)
async def lesson(request: Req, game: FromPath[str], data: JSONBody[LessonRequest]) -> LessonSight:
    """A lesson's chapter after what was done in it."""
    return await asyncio.to_thread(_lesson_sight, game, data, language_of(request))


@post("/api/games/{game:str}/lesson/options", status_code=200, responses=REFUSED)
async def lesson_options(game: FromPath[str], data: JSONBody[LessonSteps]) -> choices.OptionsSight:
    def work() -> choices.OptionsSight:
        return choices.options(_stand(game, data).match, _lesson(game).you, data.steps)

    return await asyncio.to_thread(work)


@post("/api/games/{game:str}/lesson/why", status_code=200, responses=REFUSED)
async def lesson_why(
    request: Req, game: FromPath[str], data: JSONBody[LessonTry]
) -> choices.MoveCheck:
    def work() -> choices.MoveCheck:
        return choices.why(
            _stand(game, data).match, _lesson(game).you, data.move, language_of(request)
        )

    return await asyncio.to_thread(work)


@post("/api/games/{game:str}/lesson/preview", status_code=200, responses=REFUSED)
async def lesson_preview(
    request: Req, game: FromPath[str], data: JSONBody[LessonTry]
) -> choices.PreviewSight:
    def work() -> choices.PreviewSight:
        return choices.preview(
            _stand(game, data).match, _lesson(game).you, data.move, language_of(request)
        )

    return await asyncio.to_thread(work)


@cache
def _lesson(game_name: str) -> Lesson:
    game = game_named(game_name)
    for _, text in files_beside(game, "", FILE):
        return parse_lesson(text, game)
    raise Missing


def _stand(game_name: str, data: LessonRequest, language: str = "en") -> Stand:
    game = game_named(game_name)
    return stand(game, load_deck(game), _lesson(game_name), data.chapter, data.done, language)


def _lesson_sight(game_name: str, data: LessonRequest, language: str) -> LessonSight:
    lesson, now = _lesson(game_name), _stand(game_name, data, language)
    match, step, chapter = now.match, now.step, lesson.chapters[data.chapter]
    return LessonSight(
        chapter=data.chapter,
        chapters=len(lesson.chapters),
        title=chapter.title[language],
        step=len(data.done),
        steps=len(chapter.steps),
        say=None if step is None else step.say[language],
        wants_move=step is not None and bool(step.expect),
        point=() if step is None else step.point,
        you=match.game.seats[lesson.you],
        seats=match.game.seats,
        deck=match.deck.name,
        house=dict(match.house),
        version=match.version(lesson.you),
        may_act=step is not None and bool(step.expect) and lesson.you in match.to_act,
        view=tell_view(match.game, match.view(lesson.you), language),
        news=view_model.told(match, lesson.you, now.before, language) if data.done else [],
    )


ROUTES: Final = [
    deck, deck_at_table, case_titles, cases_of_clause,
    lesson, lesson_options, lesson_why, lesson_preview,
]  # fmt: skip
