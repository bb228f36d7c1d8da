"""`openplan record`: check a record, show it at any ply, tell it as a viewer saw it, export it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from openplan.cli.arguments import read_text
from openplan.core.deck import Deck
from openplan.core.game import AnyGame, GameError, Viewer
from openplan.core.record import (
    MAX_BYTES,
    format_entry,
    format_outcome,
    read_record,
    viewer_name,
    viewer_named,
    write_record,
)
from openplan.core.registry import game_named
from openplan.core.telling import in_sentences
from openplan.decks import find_deck, load_deck

if TYPE_CHECKING:
    from openplan.core.log import Entry
    from openplan.core.match import Match

app = typer.Typer(help="Check, show, replay and export records.", rich_markup_mode=None)

RecordFile = Annotated[Path, typer.Argument(metavar="FILE", help="A record of a match.")]
DeckFile = Annotated[
    str, typer.Option("--deck", metavar="NAME|FILE", help="The deck, if it does not come with us.")
]
ViewerName = Annotated[
    str,
    typer.Option("--viewer", metavar="VIEWER", help="A seat, spectator or all; else the record's."),
]
Ply = Annotated[
    int | None,
    typer.Option(metavar="N", help="After so many entries of the record; else at its end."),
]
WIDTH: Final = 80
INDENT: Final = "    "

_SENTENCES: Final = {
    "deadline": "Time is up.",
    "flag": "{seat} has run out of time.",
    "resign": "{seat} resigns.",
    "draw": "A draw is agreed.",
    "seat": "{text} takes seat {seat}.",
    "by-master": "The game master enters the next orders of {seat}.",
    "pause": "The match is paused.",
    "resume": "The match goes on.",
    "take-back": "{seat} takes back what it did from entry {text} on.",
    "roll-back": "The table is put back to where it stood before entry {text}.",
}


@app.command()
def check(file: RecordFile, deck: DeckFile = "") -> None:
    """Say whether a record is whole and follows the rules; if not, which line does not.

    Example: openplan record check game.record
    """
    try:
        match = read_match(file, deck)
    except GameError as error:
        typer.echo(f"{file}: {error}")
        raise typer.Exit(1) from None
    viewer = viewer_name(match.game, match.viewer)
    result = format_outcome(match.game, match.outcome)
    typer.echo(f"{file}: {match.game.title}, viewer {viewer}, {match.ply} entries, no fault")
    typer.echo(f"result: {result}")


@app.command()
def show(file: RecordFile, viewer: ViewerName = "", ply: Ply = None, deck: DeckFile = "") -> None:
    """Draw the table as a viewer saw it at any ply.

    Example: openplan record show game.record --viewer A --ply 12
    """
    from openplan.cli.terminal import Terminal

    match = read_match(file, deck)
    eyes = _viewer(match, viewer)
    moment = match if ply is None else match.at(ply)
    picture = _picture(moment, eyes)
    who = viewer_name(match.game, eyes)
    terminal = Terminal()
    terminal.show(f"{file}: after {moment.ply} of {match.ply} entries, seen by {who}\n")
    terminal.show(picture)


@app.command()
def export(file: RecordFile, viewer: ViewerName = "", ply: Ply = None, deck: DeckFile = "") -> None:
    """Write the record as a viewer may have it: at a ply before the end, without what is hidden.

    Example: openplan record export game.record --viewer B --ply 12 > b.record
    """
    match = read_match(file, deck)
    moment = match if ply is None else match.at(ply)
    # As bytes: a record is the same on every machine, whatever its line ends and its encoding.
    typer.echo(write_record(moment, _viewer(match, viewer)).encode(), nl=False)


@app.command()
def replay(
    file: RecordFile,
    viewer: ViewerName = "",
    boards: Annotated[
        bool, typer.Option("--boards", help="Draw the table after every entry, not only the last.")
    ] = False,
    deck: DeckFile = "",
) -> None:
    """Tell a match from its start, entry by entry, as a viewer was told of it.

    Example: openplan record replay game.record --viewer spectator --boards
    """
    from openplan.cli.terminal import Terminal

    match = read_match(file, deck)
    eyes = _viewer(match, viewer)
    terminal = Terminal()
    for code, name in zip(match.game.seats, match.first_names, strict=True):
        terminal.show(f"{code}  {name}")
    terminal.show()
    for moment in match.walk():
        if moment.ply == 0:
            terminal.show(_picture(moment, eyes))
        elif moment.happenings[-1].text_for(moment.eyes(eyes)) is not None:
            number, entry = moment.told(eyes)[-1]
            terminal.show(format_entry(moment.game, number, entry))
            for line in _sentences(moment, entry, eyes):
                terminal.show(line)
            if boards:
                terminal.show()
                terminal.show(_picture(moment, eyes))
    if not boards:
        terminal.show()
        terminal.show(_picture(match, eyes))
    terminal.show(f"result: {format_outcome(match.game, match.outcome)}")


def read_match(file: Path, deck: str = "") -> Match:
    """The match of a record file, with its own deck or the one given."""

    def find(game: AnyGame, name: str, content: str) -> Deck:
        return load_deck(game, deck) if deck else find_deck(game, name, content)

    return read_record(read_text(file, MAX_BYTES), game_named, find)


def _viewer(match: Match, name: str) -> Viewer:
    return viewer_named(match.game, name) if name else match.viewer


def _picture(match: Match, viewer: Viewer) -> str:
    from openplan.render.text import draw_scene

    return draw_scene(match.game.scene(match.view(viewer)), WIDTH)


def _sentences(match: Match, entry: Entry, viewer: Viewer) -> Iterator[str]:
    """What the last entry did, in words, as far as the viewer knows it."""
    game = match.game
    said: list[str] = []
    if entry.kind != "move":
        seat = "" if entry.seat is None else game.seats[entry.seat]
        said.append(_SENTENCES[entry.kind].format(seat=seat, text=entry.text))
    said += in_sentences(game, match.happenings[-1].events, match.eyes(viewer))
    yield from textwrap.wrap(" ".join(said), WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
