"""`openplan print`: cards to cut out, counters, rules, and turns to fill in with a pen, as PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from openplan.cli.arguments import (
    DeckName,
    GameName,
    Tongue,
    find_game,
    parse_seat,
    write_bytes,
)
from openplan.cli.record import DeckFile, Ply, RecordFile, read_match
from openplan.decks import load_deck
from openplan.printing.paper import Backs, Edge, Job, Paper, Sheet, read_offset

app = typer.Typer(help="Print decks, counters, rules and turns as PDF.", rich_markup_mode=None)

OutFile = Annotated[Path, typer.Option("--out", metavar="FILE.pdf", help="Where to write it.")]
PaperName = Annotated[Paper, typer.Option("--paper", help="The printer's paper.")]
BacksName = Annotated[
    Backs,
    typer.Option(
        "--backs", help="On the next page, beside the faces to fold and glue, or left out."
    ),
]
EdgeName = Annotated[Edge, typer.Option("--edge", help="The edge the printer turns paper over.")]
Offset = Annotated[
    str,
    typer.Option(
        "--offset",
        metavar="X,Y",
        help="Move the backs, in mm to the right and down; see `print test-sheet`.",
    ),
]
SeatCode = Annotated[
    str, typer.Option("--seat", metavar="SEAT", help="Whose; all that the record shows if none.")
]
MatchName = Annotated[str, typer.Option("--name", metavar="NAME", help="What you call the match.")]
Deadline = Annotated[
    str, typer.Option("--deadline", metavar="WHEN", help="When orders are due; else to fill in.")
]
SendTo = Annotated[
    str, typer.Option("--send-to", metavar="WHERE", help="Where the form goes; else to fill in.")
]
LowInk = Annotated[bool, typer.Option("--low-ink", help="Draw in lines where surfaces are filled.")]


Language = Annotated[Tongue, typer.Option("--language", help="Of titles, jokes and rules.")]


@app.command()
def deck(
    game: GameName,
    out: OutFile,
    deck: DeckName = "",
    paper: PaperName = Paper.A4,
    backs: BacksName = Backs.DUPLEX,
    edge: EdgeName = Edge.LONG,
    offset: Offset = "0,0",
    low_ink: LowInk = False,
    one_per_page: Annotated[
        bool,
        typer.Option("--one-per-page", help="A card a page with 3 mm bleed, for a print service."),
    ] = False,
    language: Language = Tongue.EN,
) -> None:
    """Cards of 63 by 88 mm, nine to a sheet, with marks to cut along.

    Example: openplan print deck human --paper letter --out cards.pdf
    """
    from openplan.printing.deck import print_deck

    found = find_game(game)
    job = Job(paper, backs, edge, read_offset(offset), low_ink, one_per_page, language)
    write_bytes(out, print_deck(found, load_deck(found, deck), job))


@app.command()
def counters(
    game: GameName,
    out: OutFile,
    deck: DeckName = "",
    paper: PaperName = Paper.A4,
    backs: BacksName = Backs.DUPLEX,
    edge: EdgeName = Edge.LONG,
    offset: Offset = "0,0",
    low_ink: LowInk = False,
    language: Language = Tongue.EN,
) -> None:
    """Floor cards at one scale, counters, tents and a score pad, as far as the game has them.

    Example: openplan print counters cube --out counters.pdf
    """
    from openplan.printing.counters import print_counters

    found = find_game(game)
    job = Job(paper, backs, edge, read_offset(offset), low_ink, language=language)
    write_bytes(out, print_counters(found, load_deck(found, deck), job))


@app.command()
def rules(
    game: GameName,
    out: OutFile,
    paper: PaperName = Paper.A4,
    one_per_page: Annotated[
        bool, typer.Option("--one-per-page", help="In reading order, for a screen.")
    ] = False,
    language: Language = Tongue.EN,
) -> None:
    """The rules with drawn examples, as a booklet to fold: print both sides, short edge.

    Example: openplan print rules human --out rules.pdf
    """
    from openplan.printing.booklet import print_rules

    job = Job(paper, one_per_page=one_per_page, language=language)
    write_bytes(out, print_rules(find_game(game), job))


@app.command()
def reference(
    game: GameName,
    out: OutFile,
    deck: DeckName = "",
    paper: PaperName = Paper.A4,
    language: Language = Tongue.EN,
) -> None:
    """What a player looks up most, on one page.

    Example: openplan print reference cube --out reference.pdf
    """
    from openplan.printing.booklet import print_reference

    found = find_game(game)
    job = Job(paper, language=language)
    write_bytes(out, print_reference(found, load_deck(found, deck), job))


@app.command()
def turn(
    record: RecordFile,
    out: OutFile,
    seat: SeatCode = "",
    ply: Ply = None,
    deck: DeckFile = "",
    name: MatchName = "",
    deadline: Deadline = "",
    send_to: SendTo = "",
    paper: PaperName = Paper.A4,
    language: Language = Tongue.EN,
) -> None:
    """A turn for players with a pen: what happened, the table, the hand, a form. Each seat's pages
    show what that seat may know, and lie on paper of their own.

    Example: openplan print turn game.record --seat S --out sal.pdf
    """
    sheet = Sheet(name, deadline, send_to)
    _print_seats(record, deck, ply, seat, sheet, out, paper, language, form_only=False)


@app.command()
def form(
    record: RecordFile,
    out: OutFile,
    seat: SeatCode = "",
    ply: Ply = None,
    deck: DeckFile = "",
    name: MatchName = "",
    deadline: Deadline = "",
    send_to: SendTo = "",
    paper: PaperName = Paper.A4,
    language: Language = Tongue.EN,
) -> None:
    """Only the form, for who knows the rest.

    Example: openplan print form game.record --seat S --deadline "1 December" --out form.pdf
    """
    sheet = Sheet(name, deadline, send_to)
    _print_seats(record, deck, ply, seat, sheet, out, paper, language, form_only=True)


def _print_seats(
    record: Path,
    deck: str,
    ply: int | None,
    seat: str,
    sheet: Sheet,
    out: Path,
    paper: Paper,
    language: Tongue,
    *,
    form_only: bool,
) -> None:
    from openplan.printing.postal import print_turns, seats_to_print, tell_turn

    match = read_match(record, deck)
    moment = match if ply is None else match.at(ply)
    seats = [parse_seat(match.game, seat)] if seat else seats_to_print(moment, form_only=form_only)
    told = [tell_turn(moment, one, sheet, language, form_only=form_only) for one in seats]
    write_bytes(out, print_turns(told, paper, language))


@app.command("test-sheet")
def alignment(
    out: OutFile,
    paper: PaperName = Paper.A4,
    edge: EdgeName = Edge.LONG,
    offset: Offset = "0,0",
    language: Language = Tongue.EN,
) -> None:
    """A sheet to measure how far your printer's backs are off.

    Example: openplan print test-sheet --edge short --out test.pdf
    """
    from openplan.printing.alignment import print_alignment

    job = Job(paper, edge=edge, offset=read_offset(offset), language=language)
    write_bytes(out, print_alignment(job))
