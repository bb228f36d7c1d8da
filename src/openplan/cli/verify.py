"""`openplan verify`: check a finished match's shuffle and log.

Small and apart from everything else on purpose: it uses the rules, the deck and the record's
reader, and nothing of whoever ran the match. The commitment it computes again by itself, from the
lines of the record, and the deal it draws again; anybody can do that with a tool of their own (the
procedure is in `core/deal.py`).
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from openplan.core.deal import ADDED_NOTHING, Chance, chance_lines
from openplan.core.deck import Deck, DeckError
from openplan.core.game import AnyGame, GameError, Illegal
from openplan.core.match import Match
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
    """Check a finished match: that its deal was drawn from sealed chance, that its log follows.

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
    is_salted = match.added is None
    sealed = (b"salt: ", b"deal ") if is_salted else (b"chance server: ",)
    opened = [line for line in record.splitlines(True) if line.startswith(sealed)]
    computed = hashlib.sha256(b"".join(opened)).hexdigest()
    what = "the salt and the deal" if is_salted else "the server's chance"
    if computed != match.commitment:
        raise Illegal("commitment", f"the commitment does not open with {what}")
    if published and published.strip().lower() != computed:
        raise Illegal("commitment", f"{what} fits the commitment {computed}, not the one given")
    game = match.game
    yield f"game        {game.title}, rules {match.rules}, deck {match.deck.name}"
    yield "record      whole: its check line fits"
    yield f"commitment  {computed}"
    yield f"            opens with {what}{' and is the one given' * bool(published)}"
    by_hand = "'^(salt:|deal )'" if is_salted else "'^chance server:'"
    yield f"            (by hand: grep -E {by_hand} FILE | sha256sum)"
    if match.added is not None:
        yield from _drawn_again(match, match.added)
    yield f"log         {match.ply} entries, each legal, each with the facts that follow from it"
    yield f"result      {format_outcome(game, match.outcome)}: follows from the log"
    yield ""
    if not published:
        yield "Compare the commitment with the one that was published before the first move."
    yield from _what_it_shows(match.added)


def _drawn_again(match: Match, added: Sequence[str]) -> Iterator[str]:
    chance = Chance(chance_lines(match.salt, match.game.seats, added))
    if match.game.deal(match.deck, match.house, chance) != match.deal:
        raise Illegal("deal", "another deal is drawn from the chance in the record")
    codes = [code for code, bytes_ in zip(match.game.seats, added, strict=True) if _is_own(bytes_)]
    yield "deal        drawn again from the chance of all: the same"
    yield f"            added by a seat's own browser: {', '.join(codes) or 'nothing'}"


def _is_own(bytes_: str) -> bool:
    return bytes_ != ADDED_NOTHING


def _what_it_shows(added: Sequence[str] | None) -> Iterator[str]:
    if added is not None and any(map(_is_own, added)):
        yield "This shows that the server sealed its chance before the seats added theirs, so it"
        yield "could not choose the deal by itself. It does not show that the server and a player"
        yield "did not choose it together. Compare the bytes of your seat with those that your"
        yield "browser kept."
    else:
        yield "This shows that the deal was not changed after the start. It does not show that"
        yield "whoever ran the match did not choose it: no seat added chance of its own."
