"""Decks that people make: one's own, those that are shared, and what is wrong with one, as the
reader says that tables use."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import delete, get, patch, post, put
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta

from openplan.core.deck import MAX_BYTES, DeckError, read_table
from openplan.core.game import AnyGame
from openplan.core.registry import game_named
from openplan.server.http.routes.library import DeckSight, faces
from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
    Created,
    Req,
    Text,
    change,
    language_of,
    limit,
    session_of,
    site_of,
)
from openplan.server.people import accounts
from openplan.server.people.accounts import Person
from openplan.server.store import Tx
from openplan.server.tables import deck_trials, workshop
from openplan.server.tables.deck_check import DeckFault, faults_of
from openplan.server.tables.deck_trials import TrialSight
from openplan.server.tables.workshop import DeckLine, DeckRow, DeckVersion, Sharing

DeckText = Annotated[str, Meta(max_length=MAX_BYTES)]
GameNamed = Annotated[str, Meta(max_length=64)]


class DeckRequest(Asked, frozen=True):
    """A new deck: as the `house` has it, `blank`, from a file (`toml`, or `csv` with a card in each
    row), or a copy of `deck`, which is yours or shared."""

    source: Literal["house", "blank", "toml", "csv", "deck"]
    game: GameNamed = ""
    text: DeckText = ""
    deck: Annotated[str, Meta(max_length=64)] = ""


class DeckEdit(Asked, frozen=True):
    """The whole deck as it is now: as the form that it was given as, or as text where there is
    none. `edit` is the number of the edit that this one was made upon."""

    edit: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    form: dict[str, Any] | None = None
    text: DeckText = ""


class DeckSharing(Asked, frozen=True):
    shared: Sharing


class DeckComplaint(Asked, frozen=True):
    text: Text


class EditSight(msgspec.Struct):
    edit: int
    title: str
    faults: list[DeckFault]


class OwnDeckSight(msgspec.Struct):
    """A deck with all that its page needs. Without a `form` it is edited as text."""

    about: DeckLine
    is_own: bool
    edit: int
    text: str
    form: dict[str, Any] | None
    faults: list[DeckFault]
    deck: DeckSight | None
    """Its faces, if it can be played with."""
    versions: list[DeckVersion]
    """How it was before; its owner's alone to see."""


@get("/api/me/decks", responses=REFUSED)
async def my_decks(request: Req) -> list[DeckLine]:
    """Your decks, the one changed last first."""
    return await site_of(request).look(
        session_of(request), lambda tx, who: workshop.own(tx, accounts.someone(who))
    )


@get("/api/decks", responses=REFUSED)
async def listed_decks(
    request: Req, game: Annotated[str, QueryParameter(max_length=64)] = ""
) -> list[DeckLine]:
    """Decks of a game that their makers have listed for everybody."""
    name = game_named(game).name
    return await site_of(request).store.read(lambda tx: workshop.listed(tx, name))


@post("/api/me/decks", status_code=201, responses=REFUSED)
async def make_deck(request: Req, data: JSONBody[DeckRequest]) -> Created:
    site = site_of(request)
    limit(request, "create")
    if data.source == "deck":
        return Created(
            await change(request, lambda tx, who: workshop.copy(tx, who, data.deck, site.now()))
        )
    game = game_named(data.game)

    def read() -> tuple[str, int]:
        text = workshop.begun(game, data.source, data.text)
        return text, len(faults_of(game, text, "en"))

    text, faults = await asyncio.to_thread(read)
    return Created(
        await change(
            request,
            lambda tx, who: workshop.make(tx, who, game.name, text, faults, site.now()),
        )
    )


@get("/api/decks/{deck:str}", responses=REFUSED)
async def see_deck(request: Req, deck: FromPath[str]) -> OwnDeckSight:
    """A deck of yours, or one that is shared."""

    def work(tx: Tx, person: Person | None) -> tuple[DeckRow, DeckLine, bool, list[DeckVersion]]:
        row = workshop.find(tx, person, deck)
        is_own = workshop.is_own(row, person)
        kept = workshop.versions(tx, deck) if is_own else []
        return row, workshop.line(tx, deck), is_own, kept

    row, line, is_own, kept = await site_of(request).look(session_of(request), work)
    language = language_of(request)

    def draw() -> OwnDeckSight:
        game = game_named(row.game)
        faults = faults_of(game, row.text, language)
        drawn = None if faults else faces(game, game.read_deck(row.text, "deck"), language)
        form = _form(game, row.text)
        return OwnDeckSight(line, is_own, row.edit, row.text, form, faults, drawn, kept)

    return await asyncio.to_thread(draw)


def _form(game: AnyGame, text: str) -> dict[str, Any] | None:
    try:
        return game.deck_form(read_table(text, "deck"))
    except DeckError:  # of a game without a form, while somebody types
        return None


@put("/api/decks/{deck:str}", responses=REFUSED)
async def save_deck(request: Req, deck: FromPath[str], data: JSONBody[DeckEdit]) -> EditSight:
    """Keep a deck as it is now, and hear what is wrong with it. It may be wrong for as long as its
    maker likes; it is played with when nothing is."""
    site, language = site_of(request), language_of(request)
    limit(request, "deck")
    row = await site.look(
        session_of(request),
        lambda tx, who: workshop.find_own(tx, accounts.someone(who), deck),
    )
    game = game_named(row.game)

    def read() -> tuple[str, list[DeckFault]]:
        text = data.text if data.form is None else game.deck_text(data.form)
        return text, faults_of(game, text, language)

    text, faults = await asyncio.to_thread(read)
    edit = await change(
        request,
        lambda tx, who: workshop.save(tx, who, deck, text, len(faults), data.edit, site.now()),
    )
    return EditSight(edit, workshop.title_of(text), faults)


@post("/api/decks/{deck:str}/versions/{number:int}", status_code=200, responses=REFUSED)
async def bring_back(request: Req, deck: FromPath[str], number: FromPath[int]) -> dict[str, Any]:
    """Have a deck as it was; how it is now becomes a version."""
    site = site_of(request)
    limit(request, "deck")
    row, text = await site.look(
        session_of(request),
        lambda tx, who: workshop.version(tx, accounts.someone(who), deck, number),
    )
    faults = await asyncio.to_thread(faults_of, game_named(row.game), text, "en")
    await change(
        request,
        lambda tx, who: workshop.save(tx, who, deck, text, len(faults), None, site.now()),
    )
    return {}


@patch("/api/decks/{deck:str}", responses=REFUSED)
async def share_deck(
    request: Req, deck: FromPath[str], data: JSONBody[DeckSharing]
) -> dict[str, Any]:
    """Who may see it: nobody else, whoever has its link, or everybody in a list."""
    await change(request, lambda tx, who: workshop.share(tx, who, deck, data.shared))
    return {}


@delete("/api/decks/{deck:str}", status_code=200, responses=REFUSED)
async def delete_deck(request: Req, deck: FromPath[str]) -> dict[str, Any]:
    await change(request, lambda tx, who: deck_trials.delete_deck(tx, who, deck))
    return {}


@post("/api/decks/{deck:str}/report", status_code=201, responses=REFUSED)
async def report_deck(
    request: Req, deck: FromPath[str], data: JSONBody[DeckComplaint]
) -> dict[str, Any]:
    """Tell whoever runs the site about a deck; nobody else learns of it."""
    site = site_of(request)
    limit(request, "report")
    await change(request, lambda tx, who: workshop.complain(tx, who, deck, data.text, site.now()))
    return {}


@post("/api/decks/{deck:str}/trial", status_code=201, responses=REFUSED)
async def try_deck(request: Req, deck: FromPath[str]) -> TrialSight:
    """Have bots play with a deck of yours some hundred times, whenever no table wants them."""
    site = site_of(request)
    limit(request, "trial")

    def work(tx: Tx, who: Person) -> TrialSight:
        deck_trials.begin(tx, who, deck, site.now())
        return deck_trials.see(tx, who, deck)

    return await change(request, work)


@get("/api/decks/{deck:str}/trial", responses=REFUSED)
async def see_trial(request: Req, deck: FromPath[str]) -> TrialSight:
    """How far the bots are, and what was found."""
    return await site_of(request).look(
        session_of(request), lambda tx, who: deck_trials.see(tx, accounts.someone(who), deck)
    )


@delete("/api/decks/{deck:str}/trial", status_code=200, responses=REFUSED)
async def stop_trial(request: Req, deck: FromPath[str]) -> dict[str, Any]:
    await change(request, lambda tx, who: deck_trials.stop(tx, who, deck))
    return {}


ROUTES: Final = [
    try_deck, see_trial, stop_trial,
    my_decks, listed_decks, make_deck, see_deck, save_deck, bring_back,
    share_deck, delete_deck, report_deck,
]  # fmt: skip
