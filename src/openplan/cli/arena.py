"""`openplan arena`: bots against bots."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from openplan.bots import Budget
from openplan.cli.arguments import CommandError, DeckName, GameName, House, find_game, parse_house
from openplan.decks import deck_file

if TYPE_CHECKING:
    from openplan.arena.tournament import Result, Terms


def arena(
    game: GameName,
    bots: Annotated[
        str, typer.Option(metavar="A,B[,C]", help="Who plays; a program is cmd:./mybot.")
    ],
    games: Annotated[int, typer.Option(metavar="N", min=1, help="How many matches.")] = 100,
    seed: Annotated[int, typer.Option(metavar="N", help="Other deals.")] = 0,
    seconds: Annotated[
        float | None, typer.Option("--time", metavar="S", help="Seconds for a move.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Instead: so many tries for a move.")
    ] = None,
    aim: Annotated[
        float | None,
        typer.Option(metavar="P", help="Stop once the first bot's share differs from P for sure."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; one per core if not said.")
    ] = None,
    ray: Annotated[bool, typer.Option("--ray", help="On a Ray cluster (RAY_ADDRESS).")] = False,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep results here, and go on from what is there."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Figures and results as JSON.")] = False,
    house: House = [],  # noqa: B006 - typer reads it, nobody changes it
    deck: DeckName = "",
) -> None:
    """Let bots play each other: every deal is played from every seat.

    Example: openplan arena human --bots greedy,random --games 200
    """
    from openplan.arena.figures import summary
    from openplan.arena.tournament import Kept, Terms, run

    found = find_game(game)
    if seconds is not None and iterations is not None:
        raise CommandError("give either --time or --iterations")
    if seconds is not None and not 0 < seconds <= 3600:
        raise CommandError("--time is more than 0 and at most 3600 seconds")
    if aim is not None and not 0 < aim < 1:
        raise CommandError("--aim is a share between 0 and 1, such as 0.8")
    names = tuple(name.strip() for name in bots.split(","))
    rules = tuple(sorted(parse_house(house).items()))
    text, _ = deck_file(found, deck)
    terms = Terms(found.name, text, names, seed, rules, Budget(seconds, iterations))
    terms.check()
    kept = Kept(resume, terms) if resume is not None else None
    before = kept.read() if kept is not None else []
    progress = _Progress(terms, terms.games_from(games), kept)
    try:
        results = run(
            terms,
            games,
            workers=workers or len(os.sched_getaffinity(0)),
            on_ray=ray,
            aim=aim,
            before=before,
            on_result=progress.update,
        )
    except KeyboardInterrupt:
        if resume is not None:
            print(f"Stopped; the same command goes on from {resume}.", file=sys.stderr)
        raise
    finally:
        progress.close()
    figures = summary(names, found.seats, results)
    if as_json:
        about: dict[str, Any] = {
            "game": found.name,
            "bots": names,
            "seed": seed,
            "house": dict(rules),
            "seconds": seconds,
            "iterations": iterations,
        }
        rows = [_row(result) for result in results]
        print(json.dumps({"terms": about, **figures, "results": rows}))
    else:
        _show(figures, results)


def _row(result: Result) -> dict[str, Any]:
    return {
        "number": result.number,
        "bots": result.bots,
        "winners": result.winners,
        "points": result.points,
        "entries": result.plies,
        "ending": result.reason,
        "failed": {str(seat): why for seat, why in result.failed},
    }


class _Progress:
    """A bar while matches are played, and results put away at most once a second."""

    def __init__(self, terms: Terms, games: int, kept: Any) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        self.terms = terms
        self.kept = kept
        self.unwritten: Sequence[Result] | None = None
        self.written = 0.0
        console = Console(stderr=True)
        self.bar = Progress(
            "{task.description}",
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self.task = self.bar.add_task(terms.bots[0], total=games)
        self.bar.start()

    def update(self, results: Sequence[Result]) -> None:
        from openplan.arena.figures import share_of

        share = share_of(self.terms.bots[0], results)
        low, high = share.interval
        said = f"{self.terms.bots[0]} {share.rate:.0%} ({low:.0%} to {high:.0%})"
        self.bar.update(self.task, completed=len(results), description=said)
        self.unwritten = results
        if time.monotonic() > self.written + 1:
            self._write()

    def _write(self) -> None:
        if self.kept is not None and self.unwritten is not None:
            self.kept.write(self.unwritten)
            self.unwritten = None
            self.written = time.monotonic()

    def close(self) -> None:
        self.bar.stop()
        self._write()


def _show(figures: dict[str, Any], results: Sequence[Result]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table("bot", box=None, pad_edge=False)
    for title in ("matches", "share", "95% interval", "points", "margin"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("rating", justify="right", no_wrap=True)
    for bot in figures["bots"]:
        mu, sigma = bot["rating"]
        table.add_row(
            bot["name"],
            f"{bot['games']}",
            f"{bot['rate']:.1%}",
            _interval(bot),
            f"{bot['points']:.1f}",
            f"{bot['margin']:+.1f}",
            f"{mu:.1f} ± {2 * sigma:.1f}",
        )
    console.print(table)
    for pair in figures["pairs"]:
        said = f"{pair['rate']:.1%} ({_interval(pair)}) of {pair['games']}"
        console.print(f"{pair['bot']} where it met {pair['other']}: {said}")
    for seat in figures["seats"]:
        said = f"{seat['rate']:.1%} ({_interval(seat)}), {seat['points']:.1f} points"
        console.print(f"seat {seat['seat']}: {said}")
    entries = figures["entries"]
    said = f"{entries['mean']:.1f} on average, {entries['least']} to {entries['most']}"
    console.print(f"moves in a match: {said}")
    for result in [result for result in results if result.failed][:5]:
        for _, why in result.failed:
            console.print(f"match {result.number} was lost by {why}", markup=False)


def _interval(figures: dict[str, Any]) -> str:
    return f"{figures['low']:.1%} to {figures['high']:.1%}"
