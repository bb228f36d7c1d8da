"""`openplan review`: what each decision of a finished match cost, and what the draws were worth."""

from __future__ import annotations

import json
from typing import Annotated, Final

import typer

from openplan.cli.arguments import Tongue
from openplan.cli.record import DeckFile, RecordFile, read_match
from openplan.core.record import format_outcome
from openplan.review import DEPTH
from openplan.review import review as reviewed
from openplan.review.words import as_data, told

WIDTH: Final = 80


def review(
    file: RecordFile,
    deck: DeckFile = "",
    depth: Annotated[
        int, typer.Option(metavar="N", min=100, max=100_000, help="Tries for each decision.")
    ] = DEPTH,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as one object.")] = False,
    language: Annotated[Tongue, typer.Option(help="Of what is said.")] = Tongue.EN,
) -> None:
    """Look back on a finished match: each decision by what its player could know, each draw by what
    could have come.

    Example: openplan review game.record
    """
    match = read_match(file, deck)
    found = reviewed(match, depth)
    if as_json:
        typer.echo(json.dumps(as_data(match.game, found, language), ensure_ascii=False))
        return
    typer.echo(f"{match.game.title}: {format_outcome(match.game, match.outcome)}\n")
    for line in told(match.game, found, WIDTH, language):
        typer.echo(line)
