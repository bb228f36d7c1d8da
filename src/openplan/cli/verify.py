"""`openplan verify`: check a finished match's shuffle and log.

Small and apart from everything else on purpose: it uses the rules, the deck and the record's
reader, and nothing of whoever ran the match. The commitment it computes again by itself, from the
lines of the record; anybody can do that with a tool of their own.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from openplan.core.deck import Deck, DeckError
from openplan.core.game import AnyGame, GameError, Illegal
from openplan.core.record import MAX_BYTES, format_outcome, read_record
from openplan.core.registry import game_named
from openplan.decks import find_deck, load_deck


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The record of the match.")],
    deck: Annotated[str, typer.Option(metavar="FILE", help="Judge by the deck in this file.")] = "",
    commitment: Annotated[
        str, typer.Option(metavar="HASH", help="The one that was published at the start.")
    ] = "",
) -> None:
    """Check a finished match: that the deal is the one committed to, and that the log follows.

    Example: openplan verify game.record --commitment 5f3a...
    """
    try:
        with file.open("rb") as source:
            record = source.read(MAX_BYTES + 1)
        shown = list(verified(record, deck, commitment))
    except (GameError, DeckError) as error:
        refuse(file, str(error))
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        refuse(file, f"it cannot be read: {error}")
    for line in shown:
        print(line)


def refuse(file: Path, reason: str) -> NoReturn:
    print(f"{file}: not verified: {' '.join(reason.split())}", file=sys.stderr)
    sys.exit(1)


def verified(record: bytes, deck: str, published: str) -> Iterator[str]:
    """What a record shows, a line each; an error where it shows the contrary."""

    def find(game: AnyGame, name: str, content: str) -> Deck:
        return load_deck(game, deck) if deck else find_deck(game, name, content)

    match = read_record(record, game_named, find)
    if match.outcome is None:
        raise Illegal("unfinished", "the match is not finished, so nothing has been opened yet")
    if match.deal is None:
        raise Illegal("position", "the match was set up by hand, so there is no deal to check")
    opened = [line for line in record.splitlines(True) if line.startswith((b"salt: ", b"deal "))]
    computed = hashlib.sha256(b"".join(opened)).hexdigest()
    if computed != match.commitment:
        raise Illegal("commitment", "the commitment does not open with the salt and the deal")
    if published and published.strip().lower() != computed:
        raise Illegal("commitment", f"the deal fits the commitment {computed}, not the one given")
    game = match.game
    yield f"game        {game.title}, rules {match.rules}, deck {match.deck.name}"
    yield "record      whole: its check line fits"
    yield f"commitment  {computed}"
    yield f"            opens with the salt and the deal{' and is the one given' * bool(published)}"
    yield "            (by hand: grep -E '^(salt:|deal )' FILE | sha256sum)"
    yield f"log         {match.ply} entries, each legal, each with the facts that follow from it"
    yield f"result      {format_outcome(game, match.outcome)}: follows from the log"
    yield ""
    if not published:
        yield "Compare the commitment with the one that was published before the first move."
    yield "This shows that the deal was not changed after the start. It does not show that whoever"
    yield "ran the match did not choose the deal."
