"""The table as a neutral picture, for any medium to draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from openplan.core.game import OPEN
from openplan.core.scene import Board, CardPicture, Panel, Scene, Tile
from openplan.games.human_resources.cards import OfficeDeck, colour_of, shown
from openplan.games.human_resources.drawings import PARTS
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.state import SEATS
from openplan.games.human_resources.text.words import PICTURE, ability_text, quota_text, spoken_in
from openplan.games.human_resources.view import OfficeView


def card_picture(deck: OfficeDeck, number: int, language: str = "en") -> CardPicture:
    if number >= codes.CARDS:
        colour = colour_of(number)
        behind = PARTS["back-unknown" if colour == "?" else f"back-{colour}"]
        return CardPicture(colour, behind=behind)
    card = deck.card[shown(number)]
    if card.kind == "quota":
        quota = quota_text(card.quota, language)
        text = f"{quota[0].upper()}{quota[1:]}."
    else:
        text = ability_text(card.ability or card.kind, language)
    title, joke = deck.called(card.name, language, card.title, card.text)
    emblem = None
    if not card.pattern:
        does = card.ability or card.kind
        emblem = PARTS[f"quota-{card.quota}" if card.kind == "quota" else f"ability-{does}"]
    return CardPicture(
        card.colour,
        card.name,
        title,
        card.value,
        card.pattern,
        text,
        joke,
        plan=_plan(card.pattern) if card.pattern else None,
        emblem=emblem,
        band=PARTS[f"band-{card.colour}"],
        behind=PARTS[f"back-{card.colour}"],
    )


def _plan(pattern: Sequence[str]) -> Board:
    colours = {"D": "dark", "L": "light"}
    return Board(
        "",
        tuple(
            Tile(x, y, colours[letter], parts=(PARTS[f"carpet-{colours[letter]}"],))
            for y, row in enumerate(pattern)
            for x, letter in enumerate(row)
            if letter in colours
        ),
    )


def scene_of(view: OfficeView, language: str = "en") -> Scene:
    deck, words = view.deck, PICTURE[spoken_in(language)]

    def pictures_of(cards: Iterable[int]) -> tuple[CardPicture, ...]:
        return tuple(card_picture(deck, card, language) for card in cards)

    def counted(what: str, count: int) -> str:
        return words[what if count == 1 else f"{what}s"].format(count=count)

    # HR-10.2: on the table nobody sees the faces of cubicles; a memory aid shows one's own.
    aided = view.house["memory"] == "yes" or view.viewer == OPEN
    tiles = tuple(
        Tile(
            square.x,
            square.y,
            colour_of(card),
            label=shown(card) if aided and card < codes.CARDS else "",
            parts=(PARTS[f"carpet-{colour_of(card)}"], PARTS[f"desk-{colour_of(card)}"]),
            is_named=True,
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
            note = counted("point", view.points[seat]) if title == "scored" else ""
            is_private = title == "hand" and seat == view.viewer
            named = words[title].format(seat=code)
            panels.append(Panel(named, pictures_of(cards), note, is_private))
    pile = view.draw_pile
    heaps = []
    top = pictures_of(pile[:1])
    if view.viewer is not None and view.viewer != OPEN:
        known = [card for card in pile if card < codes.CARDS]
        top = pictures_of(known) or top
    heaps.append(Panel(words["deck"], top, counted("card", len(pile))))
    discard = pictures_of(view.discard)
    heaps.append(Panel(words["discard"], discard, counted("card", len(discard))))
    legend = {name: words[name] for name in ("dark", "light", "free")}
    board = Board(words["office"], tiles, legend)
    standings = tuple(
        f"{code} {counted('point', view.points[seat])}" for seat, code in enumerate(SEATS)
    )
    status = (_status(view, words),)
    return Scene("Human Resources", (board,), (*heaps, *panels), status, standings)


def _status(view: OfficeView, words: Mapping[str, str]) -> str:
    if view.to_act is None:
        return words["over"]
    what = "to-play"
    if view.phase == codes.AT_CHOICE:
        what = "choice"
    elif view.phase == codes.AT_ARRANGING:
        what = "arranging"
    elif view.phase == codes.AT_PLAYS:
        what = "one-play" if view.plays_left == 1 else "two-plays"
    return words[what].format(seat=SEATS[view.to_act], count=view.looked)
