"""`openplan mcp`: a seat for a language model, by the Model Context Protocol over stdio."""

from __future__ import annotations

from random import Random
from secrets import randbits
from typing import Annotated

import typer

from openplan.bots import Bot, bot_named, dismiss
from openplan.cli.arguments import (
    CommandError,
    DeckName,
    GameName,
    House,
    find_game,
    parse_house,
    parse_seat,
)
from openplan.core.deal import seeded
from openplan.core.game import GameError, Seat
from openplan.core.match import Match
from openplan.decks import load_deck
from openplan.render.text import draw_scene

MOST_MOVES = 2000
"""So many moves are listed at most; more are no help to who reads them."""


class ModelSeat:
    """A match in which one seat waits for a model and bots have the others. What it says is what
    that seat may know, as a page or a letter would say it."""

    def __init__(self, match: Match, seat: Seat, bots: dict[Seat, Bot], rng: Random) -> None:
        self.match = match
        self.seat = seat
        self._bots = bots
        self._rng = rng
        self._go_on()

    def look(self) -> str:
        match, game = self.match, self.match.game
        code = game.seats[self.seat]
        board = draw_scene(game.scene(match.view(self.seat)))
        outcome = match.outcome
        if outcome is None:
            return f"{board}\n\nYou are {code}. It is your move."
        winners = ", ".join(game.seats[seat] for seat in outcome.winners) or "nobody"
        points = ", ".join(map(str, outcome.points))
        return f"{board}\n\nYou are {code}. It is over: {winners} won, with points {points}."

    def moves(self) -> list[str]:
        """Where whole moves are too many, those that consist of one part."""
        match, game = self.match, self.match.game
        if match.outcome is not None:
            return []
        view = match.view(self.seat)
        parts = [game.moves_of_part(view, part) for part in game.parts]
        found = [move for part in parts for move in part] if parts else game.moves(view)
        return [game.format_move(match.deck, move) for move in found[:MOST_MOVES]]

    def play(self, move: str) -> str:
        """A `GameError` says why a move is refused; then nothing has changed."""
        self.match.submit(self.seat, move)
        self._go_on()
        return self.look()

    def _go_on(self) -> None:
        match, game = self.match, self.match.game
        while match.outcome is None:
            if not match.awaited:
                match.enter("deadline", None)
                continue
            others = sorted(match.awaited - {self.seat})
            if not others:
                return
            move = self._bots[others[0]].choose(game, match.view(others[0]), self._rng)
            match.submit(others[0], game.format_move(match.deck, move))
        for bot in self._bots.values():
            dismiss(bot)


def mcp(
    game: GameName,
    bot: Annotated[str, typer.Option(metavar="NAME", help="Who has the other seats.")] = "clerk",
    seat: Annotated[str, typer.Option(metavar="CODE", help="The model's seat.")] = "",
    no_moves: Annotated[
        bool, typer.Option("--no-moves", help="Do not offer a list of the legal moves.")
    ] = False,
    seed: Annotated[int | None, typer.Option(metavar="N", help="The same cards each time.")] = None,
    house: House = [],  # noqa: B006 - typer reads it, nobody changes it
    deck: DeckName = "",
) -> None:
    """Give a seat to a language model, whose program starts this one (MCP over stdio).

    Example: openplan mcp human --bot greedy
    """
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    found = find_game(game)
    own = parse_seat(found, seat) if seat else Seat(0)
    if bot.startswith("cmd:"):
        raise CommandError("another program cannot have a seat here: both would speak on stdout")
    chance = randbits(48) if seed is None else seed
    match = Match.start(found, load_deck(found, deck), parse_house(house), secret=seeded(chance))
    others = [Seat(number) for number in range(len(found.seats)) if number != own]
    table = ModelSeat(match, own, {other: bot_named(bot) for other in others}, Random(chance))
    server = MCPServer(
        "openplan",
        instructions=f"A match of {found.title}. Look, then play a move in the game's notation, "
        "until it is over.",
        log_level="ERROR",
    )

    def play(move: str) -> str:
        try:
            return table.play(move)
        except GameError as error:
            raise ToolError(str(error)) from None

    server.tool("look", description="The table as your seat sees it.")(table.look)
    server.tool("play", description="Play a move; the others answer.")(play)
    if not no_moves:
        server.tool("moves", description="The legal moves, in the notation.")(table.moves)
    server.run("stdio")
