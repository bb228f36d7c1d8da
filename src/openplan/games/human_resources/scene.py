"""The table as a neutral picture, for any medium to draw."""

from __future__ import annotations

from openplan.core.game import OPEN
from openplan.core.scene import Board, CardPicture, Panel, Scene, Tile
from openplan.games.human_resources import kernel
from openplan.games.human_resources.cards import OfficeDeck, colour_of, shown
from openplan.games.human_resources.view import SEATS, OfficeView
from openplan.games.human_resources.words import ABILITY_TEXT, quota_text


def card_picture(deck: OfficeDeck, number: int) -> CardPicture:
    if number >= kernel.CARDS:
        return CardPicture(colour_of(number))
    card = deck.card[shown(number)]
    if card.kind == "quota":
        quota = quota_text(card.quota)
        text = f"{quota[0].upper()}{quota[1:]}."
    else:
        text = ABILITY_TEXT.get(card.ability or card.kind, "")
    return CardPicture(
        card.colour, card.name, card.title, card.value, card.pattern, text, card.text
    )


def scene_of(view: OfficeView) -> Scene:
    deck = view.deck
    # HR-10.2: on the table nobody sees the faces of cubicles; a memory aid shows one's own.
    aided = view.house["memory"] == "yes" or view.viewer == OPEN
    tiles = tuple(
        Tile(
            square.x,
            square.y,
            colour_of(card),
            label=shown(card) if aided and card < kernel.CARDS else "",
        )
        for square, card, _ in view.office
    )
    panels = []
    # The viewer's own cards come last, next to where moves are typed.
    for seat in (1, 0) if view.viewer == 0 else (0, 1):
        code = SEATS[seat]
        for title, cards in (
            ("hand", view.hands[seat]),
            ("in play", view.play[seat]),
            ("scored", view.scored[seat]),
        ):
            pictures = tuple(card_picture(deck, card) for card in cards)
            note = f"{view.points[seat]} points" if title == "scored" else ""
            is_private = title == "hand" and seat == view.viewer
            panels.append(Panel(f"{code} {title}", pictures, note, is_private))
    pile = view.draw_pile
    heaps = []
    top = tuple(card_picture(deck, card) for card in pile[:1])
    if view.viewer is not None and view.viewer != OPEN:
        known = [card for card in pile if card < kernel.CARDS]
        top = tuple(card_picture(deck, card) for card in known) or top
    heaps.append(Panel("deck", top, f"{len(pile)} cards"))
    discard = tuple(card_picture(deck, card) for card in view.discard)
    heaps.append(Panel("discard", discard, f"{len(discard)} cards"))
    board = Board("office", tiles)
    return Scene("Human Resources", (board,), (*heaps, *panels), _status(view))


def _status(view: OfficeView) -> tuple[str, ...]:
    acts = view.to_act
    if acts is None:
        return ("The game is over.",)
    who = SEATS[acts]
    if view.phase == kernel.AT_CHOICE:
        return (f"{who} chooses a project to pick up.",)
    if view.phase == kernel.AT_ARRANGING:
        return (f"{who} arranges the top {view.looked} cards of the deck.",)
    if view.phase == kernel.AT_PLAYS:
        left = "one more card" if view.plays_left == 1 else "two more cards"
        return (f"{who} plays {left}.",)
    return (f"{who} to play.",)
