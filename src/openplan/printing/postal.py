"""A turn for who plays with a pen: what happened, the table as it is drawn, the hand, and a form to
fill in.

A print is for a seat: it is made of what a letter to that seat says, and of nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from openplan.core.game import OPEN, Seat
from openplan.core.match import Match
from openplan.core.sentences import Sentences, spoken_in
from openplan.mail.outbound.letter import Block, Drawing, Heading, Words
from openplan.mail.outbound.table_letters import (
    Reader,
    draw_hand,
    draw_table,
    happened,
    worked_order,
)
from openplan.printing.paper import CannotPrint, Paper, Sheet, refused
from openplan.printing.press import typeset

_SENTENCES: Final = Sentences.of("printing")
_BLANK: Final = "____"
# A turning that stands there already is written by pen as well.
_TURNING: Final = re.compile(r" 0$")
_TURN_ENDS: Final = ("adjudicate", "deadline")


def tell_turn(
    match: Match, seat: Seat, sheet: Sheet, language: str = "en", *, form_only: bool = False
) -> dict[str, Any]:
    """All that is printed for a seat, as plain data; nothing of the match is needed afterwards."""
    game, language = match.game, spoken_in(language)
    reader = Reader(seat, "", language)

    def say(code: str, **params: object) -> str:
        return _SENTENCES.say(code, params, language)

    turn = game.turn_number(match.view(seat))
    of_turn = "" if turn is None else say("turn", turn=turn)
    blocks: list[Block] = []
    if not form_only:
        blocks = [
            Heading(reader.words("happened")),
            *happened(match, reader, _since(match, seat)),
            *draw_table(match, reader),
            *draw_hand(match, reader),
        ]
    form = list(_form(game.order_form(match.view(seat), language))) if _may(match, seat) else []
    if form_only and not form:
        raise refused(CannotPrint, "no-form", seat=game.seats[seat])
    return {
        "title": " · ".join(filter(None, (game.title, of_turn))),
        "seat": _seat(match, seat, language),
        "fields": [
            [say("name"), match.names[seat] if match.names[seat] != game.seats[seat] else ""],
            [say("game"), sheet.game],
            [say("deadline"), sheet.deadline],
            [say("send-to"), sheet.send_to],
        ],
        "blocks": [_told(block) for block in blocks],
        "form-title": say("form", seat=_seat(match, seat, language)),
        "form": form,
        "example": [_told(block) for block in worked_order(game, language)] if form else [],
        "signed": say("signed"),
        "language": language,
    }


def seats_to_print(match: Match, *, form_only: bool) -> list[Seat]:
    """All seats of a match whose viewer knows everything; else the viewer's own."""
    if match.viewer is None:
        raise refused(CannotPrint, "no-seat-seen")
    seats = [Seat(seat) for seat in range(len(match.game.seats))]
    seats = [seat for seat in seats if match.viewer in (OPEN, seat)]
    if form_only:
        seats = [seat for seat in seats if _may(match, seat)]
        if not seats:
            raise refused(CannotPrint, "nobody-orders")
    return seats


def print_turns(
    turns: Sequence[Mapping[str, Any]], paper: Paper = Paper.A4, language: str = "en"
) -> bytes:
    """Each seat's pages on paper of their own, also where both sides are printed."""
    wide, high = paper.size
    title = turns[0]["title"] if turns else ""
    return typeset(
        "postal",
        {"turns": list(turns), "title": title, "language": language, "width": wide, "height": high},
    )


def _may(match: Match, seat: Seat) -> bool:
    return match.outcome is None and seat in match.to_act


def _seat(match: Match, seat: Seat, language: str) -> str:
    code, name = match.game.seats[seat], match.game.seat_name(seat, language)
    return code if name == code else f"{code}: {name}"


def _since(match: Match, seat: Seat) -> int:
    """What is news: since the turn before was opened, or since the seat's own last move."""
    if match.game.sealed:
        opened = [n for n, entry in enumerate(match.log) if entry.kind in _TURN_ENDS]
        return 0 if len(opened) < 2 else opened[-2] + 1
    own = [n for n, entry in enumerate(match.log) if entry.kind == "move" and entry.seat == seat]
    return own[-1] if own else 0


def _told(block: Block) -> dict[str, Any]:
    if isinstance(block, Heading):
        return {"is": "heading", "text": block.text}
    if isinstance(block, Words):
        lines = block.text.splitlines()
        return {
            "is": "words",
            "lines": [
                {"text": line.removeprefix("- "), "item": line.startswith("- ")} for line in lines
            ],
        }
    if isinstance(block, Drawing) and (block.pictures or block.caption):
        return {
            "is": "drawing",
            "caption": block.caption,
            "pictures": [{"svg": one.svg, "said": one.alt or one.name} for one in block.pictures],
        }
    return {"is": "plain", "text": "\n".join(_bare(line) for line in block.text.splitlines())}


def _bare(line: str) -> str:
    """The bar before it is for programs that read mail."""
    return line.removeprefix("| ")


def _form(lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Lines of an order form: headings, hints, and words between boxes."""
    for line in lines:
        if line.startswith("# "):
            yield {"is": "hint", "text": line.removeprefix("# ")}
            continue
        parts = _TURNING.sub(f" {_BLANK}", line).split(_BLANK)
        yield {"is": "line", "parts": [part.strip() for part in parts]}
