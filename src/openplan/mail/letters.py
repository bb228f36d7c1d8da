"""What the letters of a table say: invitation, welcome, turn report, reminder, press, result.

A letter is made from what its reader may know and nothing else: the view of the reader's seat, the
entries and events as that seat was told of them, and what the table tells everybody. The judge's
answers to mail are written by `judge`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from openplan.core.game import Seat, Viewer
from openplan.core.match import Match
from openplan.core.scene import Panel, Scene
from openplan.mail.letter import WIDTH, Block, Drawing, Heading, Letter, Picture, Plain, Words
from openplan.render import svg, text

ENGLISH: Final = {
    "happened": "What happened",
    "nothing": "Nothing has happened yet: these are the first orders of the game.",
    "table": "On the table",
    "standings": "Standings",
    "hand": "Your hand",
    "press": "Press",
    "orders": "Your orders",
    "brief": "The game in brief",
    "grey": "unsigned",
    "house": "The game master",
    "deadline": "Orders are taken until {deadline}.",
    "grace": "Until {grace} the others wait for those who are late.",
    "no-deadline": "There is no deadline.",
    "fill": "To order, reply to this letter and fill in the blanks between BEGIN and END, or write"
    " orders of your own there. A line with a blank left in it is no order. What you send last"
    " counts. HELP between BEGIN and END brings the list of all commands.",
    "invite": "{host} invites you to a game of {title}.",
    "invite-how": "To take a seat, reply to this letter and write JOIN in place of the blank:",
    "invite-not": "If you do not want to play, do nothing.",
    "site": "The table is also at {site}.",
    "welcome": "Welcome to {title}. You are {seat}{role}. At the table:",
    "reminder": "{title}, turn {turn}: there are no orders of yours yet.",
    "late": "{title}, turn {turn}: your orders are late. The others are waiting for you.",
    "over": "The game is over.",
    "won": "{names} won: {reason}.",
    "draw": "It is a draw: {reason}.",
    "subject-invitation": "{title}: an invitation from {host}",
    "subject-welcome": "{title}: welcome, you are {seat}",
    "subject-report": "{title}: turn {turn}",
    "subject-move": "{title}: your turn",
    "subject-reminder": "{title}: orders for turn {turn} are missing",
    "subject-late": "{title}: orders for turn {turn} are late",
    "subject-press": "{title}: press from {who}",
    "subject-result": "{title}: the result",
    "subject-notice": "{title}: {what}",
}
GERMAN: Final = {
    "happened": "Was geschah",
    "nothing": "Noch ist nichts geschehen: Dies sind die ersten Züge des Spiels.",
    "table": "Auf dem Tisch",
    "standings": "Stand",
    "hand": "Deine Hand",
    "press": "Presse",
    "orders": "Deine Züge",
    "brief": "Das Spiel in Kürze",
    "grey": "ungezeichnet",
    "house": "Die Spielleitung",
    "deadline": "Züge werden bis {deadline} angenommen.",
    "grace": "Bis {grace} warten die anderen auf Nachzügler.",
    "no-deadline": "Es gibt keine Frist.",
    "fill": "Antworte auf diesen Brief und fülle die Lücken zwischen BEGIN und END aus, oder"
    " schreib dort eigene Züge. Eine Zeile mit einer Lücke ist kein Zug. Was zuletzt kommt, gilt."
    " HELP zwischen BEGIN und END bringt die Liste aller Befehle.",
    "invite": "{host} lädt dich zu einer Partie {title} ein.",
    "invite-how": "Um mitzuspielen, antworte auf diesen Brief und schreib JOIN in die Lücke:",
    "invite-not": "Wenn du nicht mitspielen willst, tu nichts.",
    "site": "Der Tisch ist auch unter {site}.",
    "welcome": "Willkommen bei {title}. Du bist {seat}{role}. Am Tisch:",
    "reminder": "{title}, Runde {turn}: Von dir sind noch keine Züge da.",
    "late": "{title}, Runde {turn}: Deine Züge sind überfällig. Die anderen warten auf dich.",
    "over": "Das Spiel ist zu Ende.",
    "won": "{names} gewinnt: {reason}.",
    "draw": "Unentschieden: {reason}.",
    "subject-invitation": "{title}: eine Einladung von {host}",
    "subject-welcome": "{title}: willkommen, du bist {seat}",
    "subject-report": "{title}: Runde {turn}",
    "subject-move": "{title}: du bist am Zug",
    "subject-reminder": "{title}: Züge für Runde {turn} fehlen",
    "subject-late": "{title}: Züge für Runde {turn} sind überfällig",
    "subject-press": "{title}: Presse von {who}",
    "subject-result": "{title}: das Ergebnis",
    "subject-notice": "{title}: {what}",
}
LANGUAGES: Final = {"en": ENGLISH, "de": GERMAN}
_BEGIN: Final = re.compile(r"\bBEGIN\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Press:
    """What was said: by whom (nobody for grey press, `master` for the game master), and to whom."""

    text: str
    sender: str | None
    to: tuple[str, ...] = ()
    is_from_master: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """What a letter says of a table beside the match itself. Times are microseconds."""

    name: str
    """Short, as in tokens and in `GAME n`."""
    turn: int
    deadline: int | None = None
    grace: int | None = None
    zone: str = "UTC"
    site: str = ""
    notices: tuple[str, ...] = ()
    """What everybody at the table is told: who is late, announcements."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Whose letter it is. The token is what a reply must show."""

    seat: Viewer
    token: str
    language: str = "en"

    def words(self, code: str, **params: object) -> str:
        return LANGUAGES.get(self.language, ENGLISH)[code].format(**params)


# -- Letters ---------------------------------------------------------------------------------


def invitation(title: str, host: str, brief: str, name: str, site: str, reader: Reader) -> Letter:
    """To somebody who has no seat yet. Only what they write themselves takes one: a reply that
    quotes the letter must not."""
    say = reader.words
    blocks: list[Block] = [Plain(f":: Game {name}"), Words(say("invite", host=host, title=title))]
    blocks += [Heading(say("brief")), Words(brief)]
    blocks += [Words(say("invite-how")), Plain(_envelope(reader.token, ["____"]))]
    blocks += [Words(say("invite-not"))]
    if site:
        blocks.append(Words(say("site", site=site)))
    return Letter("invitation", say("subject-invitation", title=title, host=host), blocks)


def welcome(match: Match, table: Table, reader: Reader) -> Letter:
    """The first letter of a match: the table, the hand, the rules in brief."""
    game, say = match.game, reader.words
    assert reader.seat is not None
    code = game.seats[reader.seat]
    people = "\n".join(f"- {_player(match, Seat(seat))}" for seat in range(len(game.seats)))
    blocks = [
        *header(match, table, reader),
        Words(say("welcome", title=game.title, seat=code, role="")),
        Words(people),
        *([Words(say("site", site=table.site))] if table.site else []),
        Heading(say("brief")),
        Words(game.say("brief", {}, reader.language)),
        *_position(match, reader),
        *_form(match, reader),
    ]
    return Letter("welcome", say("subject-welcome", title=game.title, seat=code), blocks)


def report(
    match: Match, table: Table, reader: Reader, since: int, press: Sequence[Press] = ()
) -> Letter:
    """What happened after entry `since` of the log, how the table stands, and the next orders; once
    the match is over, the result."""
    say, outcome = reader.words, match.outcome
    blocks = [
        *header(match, table, reader),
        *_times(table, reader, is_over=outcome is not None),
        Heading(say("happened")),
        *happened(match, reader, since),
        *_position(match, reader),
        *_press(press, reader),
        *(_form(match, reader) if outcome is None else []),
    ]
    kind = "report" if outcome is None else "result"
    counts = match.game.turn_number(match.view(reader.seat)) is not None
    subject = f"subject-{'move' if kind == 'report' and not counts else kind}"
    return Letter(kind, say(subject, title=match.game.title, turn=table.turn), blocks)


def reminder(match: Match, table: Table, reader: Reader, *, late: bool) -> Letter:
    kind = "late" if late else "reminder"
    title = match.game.title
    blocks = [
        *header(match, table, reader),
        Words(reader.words(kind, title=title, turn=table.turn)),
        *_times(table, reader, is_over=False),
        *_form(match, reader),
    ]
    return Letter(kind, reader.words(f"subject-{kind}", title=title, turn=table.turn), blocks)


def press_letter(match: Match, table: Table, reader: Reader, press: Press) -> Letter:
    """Press that is not held back for the report."""
    blocks = [*header(match, table, reader), *_press([press], reader)]
    who = _signed(press, reader)
    subject = reader.words("subject-press", title=match.game.title, who=who)
    return Letter("press", subject, blocks)


def notice(match: Match, table: Table, reader: Reader, what: str, text: str) -> Letter:
    """Something that the table has to be told between reports."""
    blocks = [*header(match, table, reader), Words(text), *_times(table, reader, is_over=False)]
    subject = reader.words("subject-notice", title=match.game.title, what=what)
    return Letter("notice", subject, blocks)


# -- Parts of letters ------------------------------------------------------------------------


def header(match: Match, table: Table, reader: Reader) -> list[Block]:
    """Lines that programs may rely on, the same in every language."""
    lines = [f":: Game {match.game.name} {table.name}", f":: Turn {table.turn}"]
    if reader.seat is not None:
        lines.append(f":: Seat {match.game.seats[reader.seat]}")
    if table.deadline is not None and match.outcome is None:
        lines.append(f":: Deadline {_when(table.deadline, table.zone)}")
    return [Plain("\n".join(lines))]


def _when(at: int, zone: str) -> str:
    moment = datetime.fromtimestamp(at // 1_000_000, UTC)
    local = moment.astimezone(ZoneInfo(zone))
    written = f"{local:%Y-%m-%d %H:%M} {zone}"
    return written if zone == "UTC" else f"{written} ({moment:%Y-%m-%d %H:%M} UTC)"


def _times(table: Table, reader: Reader, *, is_over: bool) -> list[Block]:
    lines = list(table.notices)
    if not is_over:
        if table.deadline is None:
            lines.append(reader.words("no-deadline"))
        else:
            lines.append(reader.words("deadline", deadline=_when(table.deadline, table.zone)))
        if table.grace is not None:
            lines.append(reader.words("grace", grace=_when(table.grace, table.zone)))
    return [Words("\n".join(lines))] if lines else []


def happened(match: Match, reader: Reader, since: int) -> Iterator[Block]:
    game, eyes = match.game, match.eyes(reader.seat)
    lines = []
    for happening in match.happenings[since:]:
        if happening.text_for(eyes) is None:
            continue
        for event in (event.seen_by(eyes) for event in happening.events):
            sentence = game.say(event.code, event.params, reader.language)
            lines.append(f"- {sentence[:1].upper()}{sentence[1:]} [{event.clause}]")
    yield Words("\n".join(lines) or reader.words("nothing"))
    outcome = match.outcome
    if outcome is not None:
        reason = game.say(outcome.reason, {}, reader.language)
        names = ", ".join(_player(match, seat) for seat in outcome.winners)
        said = reader.words("won" if names else "draw", names=names, reason=reason)
        yield Words(f"{reader.words('over')} {said}")


def _player(match: Match, seat: Seat) -> str:
    code = match.game.seats[seat]
    name = match.names[seat]
    return code if name == code else f"{code} ({name})"


def _position(match: Match, reader: Reader) -> Iterator[Block]:
    yield from draw_table(match, reader)
    yield from draw_hand(match, reader)


def draw_table(match: Match, reader: Reader) -> Iterator[Block]:
    """The boards as pictures and as text, what else lies there, and the standings."""
    scene: Scene = match.game.scene(match.view(reader.seat))
    for number, board in enumerate(scene.boards):
        blocks = text.draw_board(board, WIDTH)
        drawn = "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks)
        yield Drawing(drawn, Picture(f"board{number}", svg.draw_board(board), board.title))
    others = [panel for panel in scene.panels if not panel.is_private]
    if others:
        yield Heading(reader.words("table"))
        yield from (_cards(panel, f"cards{number}") for number, panel in enumerate(others))
    yield Heading(reader.words("standings"))
    yield Words("\n".join(scene.status))


def draw_hand(match: Match, reader: Reader) -> Iterator[Block]:
    """In a part of its own what the reader alone may see."""
    scene: Scene = match.game.scene(match.view(reader.seat))
    own = [panel for panel in scene.panels if panel.is_private]
    if own:
        yield Heading(reader.words("hand"))
        yield from (_cards(panel, f"hand{number}") for number, panel in enumerate(own))


def _cards(panel: Panel, name: str) -> Drawing:
    drawn = "\n".join(line.rstrip() for line in text.draw_panel(panel, WIDTH))
    shown = [card for card in panel.cards if card.name]
    return Drawing(drawn, Picture(name, svg.draw_cards(shown), panel.title) if shown else None)


def _press(press: Sequence[Press], reader: Reader) -> Iterator[Block]:
    if press:
        yield Heading(reader.words("press"))
    for item in press:
        to = f" -> {', '.join(item.to)}" if item.to else ""
        yield Plain("\n".join([f"{_signed(item, reader)}{to}:", *_said(item.text)]))


def _said(text: str) -> Iterator[str]:
    """Somebody's words, every line marked as such. Whoever quotes them without the marks, broken
    elsewhere, must not find an envelope there that its writer has put in."""
    for line in _BEGIN.sub(r"'\g<0>'", text).splitlines():
        yield from (f"| {part}" for part in textwrap.wrap(line, WIDTH - 2) or [""])


def _signed(press: Press, reader: Reader) -> str:
    if press.is_from_master:
        return reader.words("house")
    return press.sender or reader.words("grey")


def _form(match: Match, reader: Reader) -> list[Block]:
    """An order form to edit, for who may order something now."""
    if reader.seat is None or reader.seat not in match.to_act:
        return []
    lines = match.game.order_form(match.view(reader.seat), reader.language)
    if not lines:
        return []
    return [
        Heading(reader.words("orders")),
        Words(reader.words("fill")),
        Plain(_envelope(reader.token, lines)),
    ]


def _envelope(token: str, lines: Sequence[str]) -> str:
    return "\n".join([f"BEGIN {token}", *lines, "END"])
