"""`openplan deck`: check a deck file, begin one, look at its cards."""

from __future__ import annotations

from typing import Annotated

import typer

from openplan.cli.arguments import CommandError, DeckName, GameName, find_game
from openplan.core.deck import DeckError
from openplan.decks import load_deck

app = typer.Typer(help="Check, begin and look at decks of cards.", rich_markup_mode=None)


@app.command()
def check(
    game: GameName,
    deck: Annotated[str, typer.Argument(metavar="FILE|NAME", help="A deck file, or its name.")],
) -> None:
    """Say everything that is wrong with a deck: the file, the card, the fault.

    Example: openplan deck check human my.toml
    """
    found = find_game(game)
    try:
        good = load_deck(found, deck)
    except DeckError as error:
        for fault in error.faults:
            typer.echo(str(fault))
        count = len(error.faults)
        typer.echo(f"{count} fault{'s' if count > 1 else ''}")
        raise typer.Exit(1) from None
    typer.echo(f"{deck}: {good.title}, {len(good.cards)} cards, no fault")


@app.command()
def new(game: GameName) -> None:
    """Write a deck file to fill in, for somebody who owns the printed cards.

    Example: openplan deck new human > my.toml
    """
    typer.echo(find_game(game).deck_template(), nl=False)


@app.command()
def show(
    game: GameName,
    cards: Annotated[list[str] | None, typer.Argument(metavar="[CARD]...")] = None,
    deck: DeckName = "",
) -> None:
    """Draw the cards of a deck; all of them, or those named.

    Example: openplan deck show human P05d M01l
    """
    from openplan.cli.terminal import Terminal
    from openplan.render.text import draw_cards

    found = find_game(game)
    chosen = load_deck(found, deck)
    known = {name.casefold(): name for name in chosen.cards}
    if unknown := [card for card in cards or () if card.casefold() not in known]:
        raise CommandError(f"there is no card {unknown[0]!r} in the deck {chosen.name!r}")
    names = [known[card.casefold()] for card in cards] if cards else list(chosen.cards)
    pictures = [found.card_picture(chosen, name) for name in names]
    Terminal().show("\n".join(draw_cards(pictures)))
