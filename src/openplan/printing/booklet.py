"""The rules of a game as a booklet: its clauses as they are written for everybody, with drawn
examples from the numbered cases; folded from half as many sheets, or page by page. And the
reference card, which is one page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from openplan.core.cases import NO_SEAT, Case, carry_out, parse_cases
from openplan.core.deck import Deck
from openplan.core.game import AnyGame, GameError
from openplan.core.match import Match
from openplan.core.registry import files_beside
from openplan.core.scene import Board, CardPicture, Tile
from openplan.core.sentences import Sentences, spoken_in
from openplan.decks import load_deck
from openplan.mail.outbound.rulebook import Clause, clauses
from openplan.printing.paper import CannotPrint, Job, refused
from openplan.printing.press import typeset
from openplan.render.svg import draw_board, draw_emblem, draw_legend

_SENTENCES: Final = Sentences.of("printing")
_MOST_TILES: Final = 40
"""A larger drawing would not be seen at a glance."""
_SIZES: Final = (10.5, 10.0, 9.5, 9.0, 8.6, 8.2, 7.8, 7.4, 7.0, 6.5, 6.0)


def print_rules(game: AnyGame, job: Job) -> bytes:
    """Half the paper is a page. On one sheet, both sides, lie four of them."""
    wide, high = job.paper.size
    told = _booklet(game, job, (high / 2, wide))
    if job.is_preview:
        # The cover, of which somebody sees what it is.
        return typeset("booklet", told, is_preview=True)
    pages = typeset("booklet", told)
    if job.one_per_page:
        return pages
    count = count_pages(pages)
    return typeset(
        "folded",
        {
            "title": _say(job, "rules-title", game=game.title),
            "language": job.language,
            "width": high,
            "height": wide,
            "pages": imposed(count),
            "booklet": list(pages),
        },
        is_tagged=False,
    )


def imposed(count: int) -> list[tuple[int, int]]:
    """Which pages lie side by side, sheet after sheet, front and back; 0 is an empty one. Folded
    once in the middle they are in order."""
    whole = -(-count // 4) * 4
    sides = []
    for sheet in range(whole // 4):
        last, first = whole - 2 * sheet, 2 * sheet + 1
        sides += [(last, first), (first + 1, last - 1)]
    return [(a if a <= count else 0, b if b <= count else 0) for a, b in sides]


def count_pages(pdf: bytes) -> int:
    """Of a PDF that we have set ourselves."""
    return len(re.findall(rb"/Type ?/Page(?![a-z])", pdf))


def _say(job: Job, code: str, **params: object) -> str:
    return _SENTENCES.say(code, params, job.language)


def _booklet(game: AnyGame, job: Job, size: tuple[float, float]) -> dict[str, Any]:
    drawings: list[str] = []
    parts: list[dict[str, Any]] = []
    examples = _examples(game)
    for clause in clauses(game.name, spoken_in(job.language)):
        if not parts or parts[-1]["title"] != clause.part:
            parts.append({"title": clause.part, "clauses": []})
        told = _clause(clause)
        if clause.number in examples:
            told["example"] = _example(game, examples[clause.number], job, drawings)
        parts[-1]["clauses"].append(told)
    return {
        "title": _say(job, "rules-title", game=game.title),
        "game": game.title,
        "credit": game.credit,
        "brief": game.say("brief", {}, job.language),
        "made": _say(job, "rules-made"),
        "language": job.language,
        "width": size[0],
        "height": size[1],
        "parts": parts,
        "drawings": drawings,
    }


def _clause(clause: Clause) -> dict[str, Any]:
    return {
        "number": clause.number,
        "title": clause.title,
        "lines": [
            {"text": line.removeprefix("- "), "item": line.startswith("- ")}
            for line in clause.lines
        ],
        "example": None,
    }


# -- Examples --------------------------------------------------------------------------------


@cache
def _examples(game: AnyGame) -> dict[str, Case]:
    """The first case of each clause that shows something."""
    found: dict[str, Case] = {}
    deck = load_deck(game)
    for case in _cases(game):
        clause = case.name.rpartition(".")[0].replace(".", "-", 1)
        if clause not in found and _is_seen(game, deck, case):
            found[clause] = case
    return found


def _is_seen(game: AnyGame, deck: Deck, case: Case) -> bool:
    before, after = _boards(game, deck, case)
    if before is None or not 4 <= len((after or before).tiles) <= _MOST_TILES:
        return False
    # What nothing happens on is worth a look only if it was drawn for the case.
    return after is not None or _usual(game)[before.tiles] <= 2


def _boards(game: AnyGame, deck: Deck, case: Case) -> tuple[Board | None, Board | None]:
    """The board of a case, and as it is in the end where that is another."""
    match = Match.from_position(game, deck, None, case.position)
    first = game.scene(match.view(None)).boards
    try:
        for line in case.lines:
            if line.verb == "do":
                carry_out(match, line)
    except GameError:
        return None, None
    last = game.scene(match.view(None)).boards
    for before, after in zip(first, last, strict=True):
        if before.tiles != after.tiles:
            return before, after
    # What is drawn for this case is seldom seen in others, unlike floors that just began.
    usual = _usual(game)
    return min(first, key=lambda board: usual[board.tiles], default=None), None


@cache
def _usual(game: AnyGame) -> Counter[tuple[Tile, ...]]:
    """How often each board is where cases begin."""
    deck = load_deck(game)
    return Counter(
        board.tiles
        for case in _cases(game)
        for board in game.scene(
            Match.from_position(game, deck, None, case.position).view(None)
        ).boards
    )


@cache
def _cases(game: AnyGame) -> list[Case]:
    return [
        case
        for name, text in files_beside(game, "cases", ".case")
        for case in parse_cases(text, name, game)
    ]


def _example(game: AnyGame, case: Case, job: Job, drawings: list[str]) -> dict[str, Any]:
    before, after = _boards(game, load_deck(game), case)
    shown = [board for board in (before, after) if board is not None]
    captions = [_say(job, "rules-before"), _say(job, "rules-after")] if after else [""]
    title = _say(job, "rules-example", case=case.name)
    pictures = []
    for board, caption in zip(shown, captions, strict=True):
        drawn = draw_board(board)
        pictures.append({"drawing": len(drawings), "caption": caption})
        drawings.append(drawn)
    # A game that has none in this language shows the number, which leads to the case.
    said = ": ".join(filter(None, (title, case.title_in(spoken_in(job.language)))))
    done = [line for line in case.lines if line.verb == "do" and line.seat != NO_SEAT]
    moves = [f"{line.seat}: {line.text}" for line in done]
    return {"title": said, "pictures": pictures, "moves": moves}


# -- The reference card ------------------------------------------------------------------------


def print_reference(game: AnyGame, deck: Deck, job: Job) -> bytes:
    wide, high = job.paper.size
    language = spoken_in(job.language)
    pieces = game.pieces(deck, language)
    told = {clause.number: clause for clause in clauses(game.name, language)}
    kinds = list(_kinds(game, deck, language))
    told_of = {
        "title": _say(job, "card-title", game=game.title),
        "language": language,
        "width": wide,
        "height": high,
        "brief": game.say("brief", {}, language),
        "clauses": [_clause(told[number]) for number in pieces.key if number in told],
        "cards-title": _say(job, "card-cards"),
        "cards": [
            {"title": card.title, "value": card.value, "text": card.told or card.text}
            for card in kinds
        ],
        "emblems": [draw_emblem(card) for card in kinds],
        "things-title": _say(job, "card-things"),
        "things": [
            {
                "drawing": draw_legend([(tile, "")]),
                "name": f"{name[:1].upper()}{name[1:]}",
                "worth": tile.worth,
            }
            for tile, name in pieces.legend
        ],
        "orders-title": _say(job, "card-orders"),
        "orders": game.say("order-examples", {}, language).splitlines(),
        "naming": game.say("order-naming", {}, language),
    }
    # The largest letters with which it is one page.
    for size in _SIZES:
        pdf = typeset("reference", {**told_of, "size": size})
        if count_pages(pdf) == 1:
            if job.is_preview:
                return typeset("reference", {**told_of, "size": size}, is_preview=True)
            return pdf
    raise refused(CannotPrint, "card-too-long", title=game.title)


def _kinds(game: AnyGame, deck: Deck, language: str) -> Iterator[CardPicture]:
    """Each thing that cards do, once."""
    seen: set[tuple[str, int | None]] = set()
    for card in deck.cards:
        picture = game.card_picture(deck, card, language)
        does = (picture.told or picture.text, picture.value)
        if picture.emblem is not None and picture.plan is None and does not in seen:
            seen.add(does)
            yield picture
