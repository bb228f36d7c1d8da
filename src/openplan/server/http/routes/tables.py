"""Tables: the games there are, setting one up, joining, beginning, playing again."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated, Any, Final

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from openplan.bots import BOTS
from openplan.core.game import Seat
from openplan.core.lesson import FILE as LESSON
from openplan.core.registry import all_games, files_beside
from openplan.decks import shipped
from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
    AsSeat,
    Created,
    Invite,
    Req,
    change,
    language_of,
    limit,
    limit_anywhere,
    seen,
    session_of,
    site_of,
)
from openplan.server.people import accounts
from openplan.server.tables import invitations, lifecycle, listing, view_model
from openplan.server.tables.chance import Added, Seal, new_seal
from openplan.server.tables.listing import Listed
from openplan.server.tables.options import SIMPLE, SimpleOption


class JoinRequest(Asked, frozen=True):
    seat: Annotated[str, Meta(max_length=20)] = ""
    invite: Annotated[str, Meta(max_length=100)] = ""
    chance: Added | None = None
    """What your browser adds to the deal."""


class RematchRequest(Asked, frozen=True):
    chance: Added | None = None


class GameSight(msgspec.Struct):
    name: str
    title: str
    credit: str
    rules_version: int
    seats: list[str]
    """Their codes."""
    seat_names: list[str]
    """What the game calls them, in your language."""
    sealed: bool
    """Orders are sealed, and a deadline carries them out."""
    house_rules: list[dict[str, Any]]
    """Each with its meaning in your language."""
    decks: list[str]
    brief: str
    """What it is about, in your language."""
    has_lesson: bool


class BotSight(msgspec.Struct):
    name: str
    meaning: str


class Catalogue(msgspec.Struct):
    games: list[GameSight]
    bots: list[BotSight]
    options: list[SimpleOption]
    """The simple options of a table, as its form shows them."""


@get("/api/games", responses=REFUSED)
async def games(request: Req) -> Catalogue:
    language = language_of(request)
    return Catalogue(
        [
            GameSight(
                game.name,
                game.title,
                game.credit,
                game.rules_version,
                list(game.seats),
                [game.seat_name(Seat(seat), language) for seat in range(len(game.seats))],
                game.sealed,
                [
                    asdict(rule) | {"meaning": game.say_house_rule(rule, language)}
                    for rule in game.house_rules
                ],
                shipped(game),
                game.say("brief", {}, language),
                any(files_beside(game, "", LESSON)),
            )
            for _, game in sorted(all_games().items())
        ],
        [BotSight(bot.name, bot.meaning) for bot in BOTS.values()],
        list(SIMPLE),
    )


@get("/api/me/tables", responses=REFUSED)
async def my_tables(request: Req) -> list[Listed]:
    """Your tables, also those that you lead, by what is due."""
    site, language = site_of(request), language_of(request)
    return await site.look(
        session_of(request),
        lambda tx, who: listing.own(tx, site.readers, accounts.someone(who), language),
    )


@get("/api/tables", responses=REFUSED)
async def public_tables(request: Req) -> list[Listed]:
    """Tables open to all: those that wait for somebody first."""
    language = language_of(request)
    return await site_of(request).store.read(lambda tx: listing.public(tx, language))


@post("/api/chance", status_code=201, responses=REFUSED)
async def seal_chance(request: Req) -> Seal:
    """Before you make a table: the seal of the server's own chance for it. Send 32 random bytes of
    your own with the table and name this seal; the deal is drawn from both."""
    limit(request, "create")
    return new_seal(site_of(request).secret)


@post("/api/tables", status_code=201, responses=REFUSED)
async def create_table(request: Req, data: JSONBody[lifecycle.NewTable]) -> Created:
    site = site_of(request)
    limit(request, "create")
    deck, text = await asyncio.to_thread(lifecycle.deck_wished, data)
    table = await change(
        request,
        lambda tx, who: lifecycle.create(
            tx, site.writers, who, data, deck, text, site.secret, site.now()
        ),
    )
    return Created(table)


@get("/api/tables/{table:str}", responses=REFUSED)
async def see_table(
    request: Req, table: FromPath[str], invite: Invite = "", seat: AsSeat = ""
) -> view_model.TableSight:
    """The table as you may see it: from your seat, or as a spectator. Whoever holds several seats
    names one; until then it is a spectator's view."""
    return await seen(request, table, invite, seat)


@post("/api/tables/{table:str}/join", status_code=200, responses=REFUSED)
async def join(
    request: Req, table: FromPath[str], data: JSONBody[JoinRequest]
) -> view_model.TableSight:
    """Take an empty seat; a private table wants its invitation."""
    site = site_of(request)
    await change(
        request,
        lambda tx, who: lifecycle.join(
            tx, site.writers, who, table, data.seat, data.invite, site.now(), added=data.chance
        ),
    )
    return await seen(request, table)


@post("/api/tables/{table:str}/leave", status_code=200, responses=REFUSED)
async def leave(request: Req, table: FromPath[str], seat: AsSeat = "") -> dict[str, Any]:
    await change(request, lambda tx, who: lifecycle.leave(tx, who, table), seat)
    return {}


@post("/api/tables/{table:str}/start", status_code=200, responses=REFUSED)
async def start(request: Req, table: FromPath[str]) -> view_model.TableSight:
    site = site_of(request)
    await change(request, lambda tx, who: lifecycle.start(tx, site.writers, who, table, site.now()))
    return await seen(request, table)


@post("/api/tables/{table:str}/abort", status_code=200, responses=REFUSED)
async def abort(request: Req, table: FromPath[str]) -> view_model.TableSight:
    """Call the match off before its first move."""
    site = site_of(request)
    await change(request, lambda tx, who: lifecycle.abort(tx, site.writers, who, table, site.now()))
    return await seen(request, table)


@post("/api/tables/{table:str}/rematch", status_code=200, responses=REFUSED)
async def rematch(
    request: Req, table: FromPath[str], data: JSONBody[RematchRequest | None] = None
) -> Created:
    """The same again with seats changed; whoever asks second joins the same table."""
    site = site_of(request)
    limit(request, "create")
    added = data.chance if data else None
    again = await change(
        request,
        lambda tx, who: lifecycle.rematch(
            tx, site.writers, who, table, added, site.secret, site.now()
        ),
    )
    return Created(again)


class MailInvitation(Asked, frozen=True):
    email: Annotated[str, Meta(max_length=320)]


@post("/api/tables/{table:str}/invite", status_code=200, responses=REFUSED)
async def invite_by_mail(
    request: Req, table: FromPath[str], data: JSONBody[MailInvitation]
) -> dict[str, Any]:
    """Invite somebody by mail, who takes a seat by answering the letter or by its link."""
    site = site_of(request)
    await limit_anywhere(request, "letter")
    email = accounts.checked_email(data.email)
    await change(
        request,
        lambda tx, who: invitations.invite(
            tx,
            who,
            table,
            email,
            site.now(),
            secret=site.secret,
            site=site.settings.address,
            reply=site.settings.reply_address,
        ),
    )
    return {}


ROUTES: Final = [
    invite_by_mail, seal_chance,
    games, my_tables, public_tables, create_table, see_table, join, leave, start, abort, rematch,
]  # fmt: skip
