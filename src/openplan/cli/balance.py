"""`openplan balance`: what self-play tells of a deck."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from openplan.bots import Budget
from openplan.cli.arguments import DeckName, GameName, House, find_game, parse_house, write_text
from openplan.decks import deck_file


def balance(
    game: GameName,
    games: Annotated[int, typer.Option(metavar="N", min=1, help="How many matches.")] = 100,
    bot: Annotated[str, typer.Option(metavar="NAME", help="Who plays all seats.")] = "director",
    iterations: Annotated[
        int, typer.Option(metavar="N", min=1, help="So many tries for a move.")
    ] = 400,
    seed: Annotated[int, typer.Option(metavar="N", help="Other deals.")] = 0,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; one per core if not said.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with plots here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All figures as JSON.")] = False,
    house: House = [],  # noqa: B006 - typer reads it, nobody changes it
    deck: DeckName = "",
) -> None:
    """Let a bot play itself and tell how each card, seat and score comes out.

    Example: openplan balance human --games 200 --page balance.html
    """
    from rich.console import Console
    from rich.progress import track

    from openplan.arena import balance as studies
    from openplan.arena.tournament import Terms, play_many

    found = find_game(game)
    text, source = deck_file(found, deck)
    rules = tuple(sorted(parse_house(house).items()))
    budget = Budget(iterations=iterations)
    terms = Terms(found.name, text, (bot,) * len(found.seats), seed, rules, budget)
    terms.check()
    console = Console(stderr=True)
    work = play_many(
        studies.note_match,
        terms,
        iter(range(games)),
        workers or len(os.sched_getaffinity(0)),
    )
    progress = track(
        work, bot, games, console=console, transient=True, disable=not console.is_terminal
    )
    figures = studies.study(terms, list(progress))
    if page is not None:
        write_text(page, studies.page(f"{found.title}, {source}", figures))
    if as_json:
        print(json.dumps(figures))
    else:
        _show(figures)


def _show(figures: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table("card", box=None, pad_edge=False)
    for title in ("scored in a match", "by the winner", "95% interval"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("used as")
    for row in sorted(figures["cards"], key=lambda row: (-row["scored"], row["card"])):
        winner = row["winner"]
        table.add_row(
            row["card"],
            f"{row['scored_rate']:.2f}",
            f"{winner['rate']:.0%}" if row["scored"] else "",
            f"{winner['low']:.0%} to {winner['high']:.0%}" if row["scored"] else "",
            ", ".join(f"{code} {count}" for code, count in row["used"].items()),
        )
    console.print(table)
    first = figures["first"]
    interval = f"{first['low']:.1%} to {first['high']:.1%}"
    console.print(f"first player: {first['rate']:.1%} ({interval}) of {figures['matches']} matches")
    points = ", ".join(f"{mean:.1f}" for mean in figures["seats"])
    console.print(f"points by seat: {points}")
    console.print(f"moves in a match: {figures['entries']['mean']:.1f} on average")
