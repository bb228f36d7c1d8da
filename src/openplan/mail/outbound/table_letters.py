"""The letters of a table: invitation, welcome, turn report, reminder, press, notices, result; and
those to its game master.

A letter is made from what its reader may know and nothing else: the view of the reader's seat, the
entries and events as that seat was told of them, and what the table tells everybody. A game master
reads as a spectator does, and is told who has sent orders, never which. The judge's answers are
written by `answer_letters`, all sentences are in `sentences`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from openplan.core.game import AnyGame, Seat, Viewer
from openplan.core.match import Match
from openplan.core.scene import Board, CardPicture, Panel, Scene
from openplan.core.sentences import Sentences, spoken_in
from openplan.mail.commands.help import help_lines
from openplan.mail.commands.port import Role
from openplan.mail.outbound.letter import Block, Drawing, Heading, Letter, Picture, Plain, Words
from openplan.mail.widths import PROSE, WIDTH
from openplan.render import svg, text

_SENTENCES: Final = Sentences.of("letters")

_PAST: Final = frozenset(
    {"others-late", "mailbox", "stand-in", "seat-open", "seat-lost", "time-up"}
)
"""What is told when a deadline has passed."""
_STATES: Final = {"ready": "state-ready", "saved": "state-saved", "missing": "state-missing"}

_DAYS: Final = {
    "mon": "day-mon",
    "tue": "day-tue",
    "wed": "day-wed",
    "thu": "day-thu",
    "fri": "day-fri",
    "sat": "day-sat",
    "sun": "day-sun",
}

_BEGIN: Final = re.compile(r"\bBEGINN?\b", re.IGNORECASE)
_ENVELOPE: Final = re.compile(r"\bBEGINN?\b.*\bENDE?\b", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Press:
    """What was said: by whom (nobody for grey press), and to whom: seats, `all` or `master`."""

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
    """0 before the match."""
    deadline: int | None = None
    grace: int | None = None
    zone: str = "UTC"
    site: str = ""
    usual: int | None = None
    """The deadline by the table's clock, if it was moved for somebody who is away."""
    states: tuple[tuple[str, str], ...] = ()
    """Seats, and whether their orders are ready, saved or missing, where the table shows that."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Whose letter it is. The token is what a reply must show."""

    seat: Viewer
    token: str
    language: str = "en"
    is_master: bool = False

    def words(self, code: str, **params: object) -> str:
        return _SENTENCES.say(code, params, self.language)


# -- Letters ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Invited:
    """What somebody wants to know before taking a seat: its pace, and who sits there."""

    seats: tuple[tuple[str, str, str], ...]
    """Code, what the game calls it, and the name of who has it."""
    kind: str
    """`none`, `live`, `days` or `schedule`"""
    days: int = 0
    time: str = ""
    weekdays: tuple[str, ...] = ()
    least: int = 0
    """Hours."""
    minutes: int = 0
    increment: int = 0


def _pace(invited: Invited, reader: Reader) -> str:
    say = reader.words
    if invited.kind == "days":
        return say("pace-days", days=invited.days)
    if invited.kind == "live":
        return say("pace-live", minutes=invited.minutes, increment=invited.increment)
    if invited.kind == "none":
        return say("pace-none")
    days = ", ".join(say(_DAYS[day]) for day in invited.weekdays)
    said = "pace-schedule-on" if days else "pace-schedule"
    return say(said, time=invited.time, days=days, least=invited.least)


def _seats(invited: Invited, reader: Reader) -> str:
    lines = []
    for code, called, name in invited.seats:
        seat = code if called == code else f"{code}, {called}"
        lines.append(f"- {seat}: {name or reader.words('vacant')}")
    return "\n".join(lines)


def invitation(
    game: AnyGame,
    host: str,
    name: str,
    site: str,
    reader: Reader,
    invited: Invited,
    note: str = "",
    seat: Viewer = None,
) -> Letter:
    """To somebody who has no seat yet. Only what they write themselves takes one: a reply that
    quotes the letter must not. A `seat` is one of a game that is under way."""
    say = reader.words
    code = "" if seat is None else game.seats[seat]
    said = "invite" if seat is None else "offer"
    blocks: list[Block] = [
        *header(game, Table(name, 0), reader),
        Words(say(said, host=host, title=game.title, seat=code)),
        *([Plain("\n".join([say("invite-note", host=host), *_said(note)]))] if note else []),
        Words(f"{_pace(invited, reader)} {say('invite-seats')}"),
        Words(_seats(invited, reader)),
        Heading(say("brief")),
        Words(game.say("brief", {}, spoken_in(reader.language))),
        Words(say("invite-how")),
        Plain(envelope(reader, ["____"])),
        Words(say("invite-not")),
        *_site(site, reader),
    ]
    return Letter("invitation", say("subject-invitation", title=game.title), blocks)


def welcome(match: Match, table: Table, reader: Reader) -> Letter:
    """To whoever takes a seat, at the beginning or later: the table, the hand, the rules in
    brief."""
    game, say = match.game, reader.words
    assert reader.seat is not None
    code = game.seats[reader.seat]
    is_first = match.version(None) == 0
    said = say("welcome" if is_first else "welcome-over", title=game.title, seat=code)
    blocks = [
        *header(game, table, reader, is_over=match.outcome is not None),
        Words(said),
        _people(match, reader),
        *place(table, reader),
        Heading(say("brief")),
        Words(game.say("brief", {}, reader.language)),
        *position(match, reader),
        *form(match, reader),
    ]
    return Letter("welcome", say("subject-welcome", title=game.title, seat=code), blocks)


def report(
    match: Match,
    table: Table,
    reader: Reader,
    since: int,
    press: Sequence[Press] = (),
    absent: Sequence[Seat] = (),
    by_master: Mapping[str, Any] | None = None,
    names: Sequence[str] = (),
) -> Letter:
    """What happened after entry `since` of the log, how the table stands, and the next orders; once
    the match is over, the result. All are told what of it the game master did, who is told who was
    `absent`. `names` are told at the end of a match in which nobody was named."""
    say, outcome = reader.words, match.outcome
    blocks = [
        *header(match.game, table, reader, is_over=outcome is not None),
        *place(table, reader, is_over=outcome is not None),
        *result(match, reader),
        *([Words(say("who-played", names=", ".join(names)))] if names else []),
        Heading(say("happened")),
        *([Words(_told(table, reader, "master", by_master))] if by_master else []),
        *happened(match, reader, since),
        *([Words(say("master-absent", names=_players(match, absent)))] if absent else []),
        *position(match, reader),
        *_press(press, reader),
        *(form(match, reader) if outcome is None else []),
    ]
    kind = "report" if outcome is None else "result"
    subject = f"subject-{kind}"
    if kind == "report" and match.game.turn_number(match.view(reader.seat)) is None:
        subject = "subject-move" if reader.seat in match.to_act else "subject-moves"
    return Letter(kind, say(subject, title=match.game.title, turn=table.turn), blocks)


def reminder(match: Match, table: Table, reader: Reader, *, late: bool) -> Letter:
    kind, game = "late" if late else "reminder", match.game
    counts = game.turn_number(match.view(reader.seat)) is not None
    said = kind if counts else f"{kind}-move"
    blocks = [
        *header(game, table, reader),
        Words(reader.words(said, title=game.title, turn=table.turn)),
        *place(table, reader, late=late),
        *form(match, reader),
    ]
    subject = reader.words(f"subject-{said}", title=game.title, turn=table.turn)
    return Letter(kind, subject, blocks)


def press_letter(game: AnyGame, table: Table, reader: Reader, press: Press) -> Letter:
    """Press that is not held back for the report."""
    blocks = [
        *header(game, table, reader),
        *_press([press], reader),
        *([Words(reader.words("answer-press"))] if reader.token else []),
        *place(table, reader),
    ]
    who = _signed(press, reader)
    return Letter("press", reader.words("subject-press", title=game.title, who=who), blocks)


def notice(
    game: AnyGame, table: Table, reader: Reader, kind: str, facts: Mapping[str, Any]
) -> Letter:
    """`facts` is what was posted with it: names, seats and times that its reader may know."""
    blocks = [
        *header(game, table, reader),
        Words(_told(table, reader, kind, facts)),
        *place(table, reader, late=kind in _PAST or facts.get("what") in _PAST),
    ]
    subject = reader.words(f"subject-{kind}", title=game.title)
    return Letter(kind, subject, blocks)


def _told(table: Table, reader: Reader, kind: str, facts: Mapping[str, Any]) -> str:
    say = reader.words
    if kind == "others-late":
        late = facts["late"]
        told = say("late-untold") if late is None else say("late-told", names=", ".join(late))
        return say("notice-others-late", late=told)
    if kind == "moved":
        return say("notice-moved", due=when(facts["due_at"], table.zone))
    if kind == "orders-entered":
        more = "orders-entered-lost" if facts["lost"] else "orders-entered-all"
        return f"{say('notice-orders-entered')} {say(more)}"
    if kind == "resumed" or facts.get("act") == "resume":
        by_all, due = kind == "resumed", facts.get("due_at")
        if due is None:
            return say("notice-resumed-undated" if by_all else "act-resume-undated")
        return say("notice-resumed" if by_all else "act-resume", due=when(due, table.zone))
    if kind == "seat-lost":
        is_taken = facts.get("why") == "master"
        why = say("seat-lost-master" if is_taken else "seat-lost-absence")
        return f"{say('notice-seat-lost', who=facts['who'])} {why}"
    if kind == "master-note":
        return say(f"master-{facts['what']}", **facts)
    if kind != "master":
        return say(f"notice-{kind}", **facts)
    act = facts["act"]
    if act == "terminate":
        return say("notice-over")
    if act == "deadline":
        return say("act-deadline", due=when(facts["due_at"], table.zone))
    if act == "eject":
        then = facts["then"]
        more = f"act-eject-{then}" if then in ("open", "nothing") else "act-eject-bot"
        return f"{say('act-eject', seat=facts['who'])} {say(more, bot=then)}"
    if act == "seat":
        by = facts["by"]
        what = f"act-seat-{by}" if by in ("open", "person") else "act-seat-bot"
        return say(what, seat=facts["who"], bot=by)
    if act == "orders-for":
        return say("act-orders-for", seat=facts["who"])
    return say(f"act-{act}", **facts)


# -- To the game master ----------------------------------------------------------------------


def master_welcome(match: Match, table: Table, reader: Reader) -> Letter:
    """A table begins: who sits there, and all that its master can write."""
    game, say = match.game, reader.words
    blocks = [
        *header(game, table, reader),
        Words(say("master-welcome", title=game.title, game=table.name)),
        _people(match, reader),
        *place(table, reader),
        Heading(say("commands")),
        Words(say("master-how")),
        Plain("\n".join(help_lines(Role.MASTER, language=reader.language))),
        *draw_table(match, reader),
        Plain(envelope(reader, ["____"])),
    ]
    return Letter("master-welcome", say("subject-master-welcome", title=game.title), blocks)


def master_reminder(match: Match, table: Table, reader: Reader, *, late: bool) -> Letter:
    """Who has sent orders and who has not, a day before the deadline or when it has passed."""
    game, say = match.game, reader.words
    missing = sorted(match.awaited)
    sent = [seat for seat in sorted(match.to_act) if seat not in match.awaited]
    lines = [
        say("master-sent", names=_players(match, sent)) if sent else say("master-sent-none"),
        say("master-missing", names=_players(match, missing))
        if missing
        else say("master-missing-none"),
    ]
    if late and missing and table.grace is not None:
        lines.append(say("master-acts", at=when(table.grace, table.zone)))
    if (game.turn_number(match.view(None)) or 0) > 1:
        lines.append(say("master-process", turn=table.turn))
    blocks = [
        *header(game, table, reader),
        Words("\n".join(f"- {line}" for line in lines)),
        *place(table, reader, late=late),
        Plain(envelope(reader, ["____"])),
    ]
    kind = "master-late" if late else "master-reminder"
    return Letter(kind, say(f"subject-{kind}", title=game.title, turn=table.turn), blocks)


# -- Parts of letters ------------------------------------------------------------------------


def header(game: AnyGame, table: Table, reader: Reader, *, is_over: bool = False) -> list[Block]:
    """Lines that programs may rely on, the same in every language."""
    lines = [f":: Game {game.name} {table.name}"]
    if table.turn:
        lines.append(f":: Turn {table.turn}")
    if reader.is_master:
        lines.append(":: Master")
    elif reader.seat is not None:
        lines.append(f":: Seat {game.seats[reader.seat]}")
    if table.deadline is not None and not is_over:
        # In UTC for programs; in the reader's own zone it is told below.
        lines.append(f":: Deadline {when(table.deadline, 'UTC')}")
    return [Plain("\n".join(lines))]


def when(at: int, zone: str) -> str:
    local = datetime.fromtimestamp(at // 1_000_000, UTC).astimezone(ZoneInfo(zone))
    return f"{local:%Y-%m-%d %H:%M} {zone}"


def place(
    table: Table, reader: Reader, *, late: bool = False, is_over: bool = False
) -> list[Block]:
    """What every letter about a table says: until when orders are taken, in the reader's zone, who
    has sent some, and where the table is."""
    if is_over:
        return _site(table.site, reader)
    states = [f"- {reader.words(_STATES[state], seat=seat)}" for seat, state in table.states]
    told = [Words("\n".join(states))] if states else []
    return [*_times(table, reader, late=late), *told, *_site(table.site, reader)]


def _times(table: Table, reader: Reader, *, late: bool = False) -> list[Block]:
    if table.deadline is None:
        return []
    codes = ("deadline-was", "grace-late") if late else ("deadline", "grace")
    lines = [reader.words(codes[0], deadline=when(table.deadline, table.zone))]
    if table.usual is not None and not late:
        lines.append(reader.words("deadline-moved", usual=when(table.usual, table.zone)))
    if table.grace is not None:
        lines.append(reader.words(codes[1], grace=when(table.grace, table.zone)))
    return [Words("\n".join(lines))]


def _site(site: str, reader: Reader) -> list[Block]:
    return [Words(reader.words("site", site=site))] if site else []


def happened(match: Match, reader: Reader, since: int) -> Iterator[Block]:
    game, eyes = match.game, match.eyes(reader.seat)
    lines = []
    for number, happening in enumerate(match.happenings[since:], since):
        if happening.text_for(eyes) is None:
            continue
        if told := _entry_told(match, reader, number):
            lines.append(f"- {sentence(told)}.")
        for event in (event.seen_by(eyes) for event in happening.events):
            if event.code not in game.notation_events:
                told = game.say(event.code, event.params, spoken_in(reader.language))
                lines.append(f"- {sentence(told)} [{event.clause}]")
    yield Words("\n".join(lines) or reader.words("nothing"))


def result(match: Match, reader: Reader) -> Iterator[Block]:
    """Who has won, once it is over."""
    game, outcome = match.game, match.outcome
    if outcome is not None:
        reason = game.say(outcome.reason, {}, spoken_in(reader.language))
        names = ", ".join(_player(match, seat) for seat in outcome.winners)
        said = "draw" if not names else "won-one" if len(outcome.winners) == 1 else "won-many"
        points = ", ".join(
            f"{code} {n}" for code, n in zip(game.seats, outcome.points, strict=False)
        )
        lines = [f"{reader.words('over')} {reader.words(said, names=names, reason=reason)}"]
        yield Words(
            "\n".join([*lines, *([reader.words("points", points=points)] if points else [])])
        )


def _entry_told(match: Match, reader: Reader, number: int) -> str:
    """An entry that is the same in every game, and of which a game says nothing."""
    entry = match.log[number]
    code = f"entry-{entry.kind}"
    # To take back what was sealed is nobody else's business, and no news to who did.
    if code not in _SENTENCES.languages["en"] or match.happenings[number].text_for(None) is None:
        return ""
    params: dict[str, object] = {}
    if entry.seat is not None:
        params["seat"] = match.game.seats[entry.seat]
    if entry.kind == "seat":
        params["name"] = entry.text
    if entry.kind == "roll-back":
        params["turn"] = match.game.turn_number(match.at(number + 1).view(None))
        code = code if params["turn"] is not None else f"{code}-moves"
    return reader.words(code, **params)


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _people(match: Match, reader: Reader) -> Block:
    seats = (Seat(seat) for seat in range(len(match.game.seats)))
    lines = [
        f"- {_player(match, seat)}"
        if match.names[seat]
        else f"- {match.game.seats[seat]}: {reader.words('vacant')}"
        for seat in seats
    ]
    return Words("\n".join(lines))


def _players(match: Match, seats: Sequence[Seat]) -> str:
    return ", ".join(_player(match, seat) for seat in seats)


def _player(match: Match, seat: Seat) -> str:
    code = match.game.seats[seat]
    name = match.names[seat]
    return code if name == code else f"{code} ({name})"


def position(match: Match, reader: Reader) -> Iterator[Block]:
    yield from draw_table(match, reader)
    yield from draw_hand(match, reader)


def draw_table(match: Match, reader: Reader) -> Iterator[Block]:
    """The boards as pictures and as text, what else lies there, and the standings."""
    scene: Scene = match.game.scene(match.view(reader.seat), spoken_in(reader.language))
    for number, board in enumerate(scene.boards):
        yield draw_board(board, f"board{number}")
    others = [panel for panel in scene.panels if not panel.is_private]
    if others:
        yield Heading(reader.words("table"))
        yield from (_cards(panel, f"cards{number}") for number, panel in enumerate(others))
    if scene.key:
        yield Heading(reader.words("key"))
        key = "\n".join(textwrap.fill(line, PROSE) for line in scene.key)
        legend = svg.draw_legend(scene.legend, across=2)
        named = ", ".join(name for _, name in scene.legend)
        yield Drawing(key, (Picture("key", legend, named),) if scene.legend else ())
    yield Heading(reader.words("standings"))
    yield Words("\n".join([*(f"- {line}" for line in scene.standings), *scene.status]))


def draw_board(board: Board, name: str) -> Drawing:
    blocks = text.draw_board(board, WIDTH)
    drawn = "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks)
    picture = Picture(name, svg.draw_board(board), board.title)
    return Drawing(drawn, (picture,), sentence(board.title))


def draw_hand(match: Match, reader: Reader) -> Iterator[Block]:
    """In a part of its own what the reader alone may see."""
    scene: Scene = match.game.scene(match.view(reader.seat), spoken_in(reader.language))
    own = [panel for panel in scene.panels if panel.is_private]
    if own:
        yield Heading(reader.words("hand"))
        yield from (
            _cards(panel, f"hand{number}", is_told=False) for number, panel in enumerate(own)
        )


_MOST_DRAWN: Final = 9
"""More cards than this in one place are told, not drawn."""


def _cards(panel: Panel, name: str, *, is_told: bool = True) -> Drawing:
    drawn = "\n".join(line.rstrip() for line in text.draw_panel(panel, WIDTH))
    shown = [card for card in panel.cards if card.name]
    title = sentence(f"{panel.title} ({panel.note})" if panel.note else panel.title)
    if len(shown) > _MOST_DRAWN:
        named = ", ".join(f"{card.title} ({card.name})" for card in shown)
        return Drawing(drawn, (), f"{title}: {named}")
    pictures = tuple(draw_card(card, f"{name}-{number}") for number, card in enumerate(shown))
    if panel.cards and not shown and all(card.behind for card in panel.cards):
        backs = ", ".join(card.back for card in panel.cards)
        pictures = (Picture(name, svg.draw_backs(panel.cards), backs),)
    if not panel.cards:
        title = f"{title}: -"
    return Drawing(drawn, pictures, title if is_told or not pictures else "")


def draw_card(card: CardPicture, name: str) -> Picture:
    said = ": ".join(filter(None, (f"{card.name} {card.title}", card.told or card.text)))
    return Picture(name, svg.draw_card(card), said)


def _press(press: Sequence[Press], reader: Reader) -> Iterator[Block]:
    if press:
        yield Heading(reader.words("press"))
    for item in press:
        whom = [reader.words(f"to-{to}") if to in ("all", "master") else to for to in item.to]
        to = f" -> {', '.join(whom)}" if whom else ""
        yield Plain("\n".join([f"{sentence(_signed(item, reader))}{to}:", *_said(item.text)]))


def _said(text: str) -> Iterator[str]:
    """Somebody's words, every line marked as such. Whoever quotes them without the marks, broken
    elsewhere, must not find an envelope there that its writer has put in."""
    if _ENVELOPE.search(text):
        text = _BEGIN.sub(r"'\g<0>'", text)
    for line in text.splitlines():
        yield from (f"| {part}" for part in textwrap.wrap(line, PROSE - 2) or [""])


def _signed(press: Press, reader: Reader) -> str:
    if press.is_from_master:
        return reader.words("house")
    return press.sender or reader.words("grey")


def form(match: Match, reader: Reader) -> list[Block]:
    """An order form to edit, for who may order something now."""
    if reader.seat is None or reader.seat not in match.to_act:
        return []
    lines = match.game.order_form(match.view(reader.seat), spoken_in(reader.language))
    if not lines:
        return []
    fill = reader.words("fill")
    if match.game.parts:
        # Where a move is carried out at once, none that comes later takes its place.
        fill = f"{fill} {reader.words('fill-last')}"
    return [
        Heading(reader.words("orders")),
        Words(f"{fill} {reader.words('fill-help')}"),
        *worked_order(match.game, reader.language),
        Plain(envelope(reader, lines)),
    ]


def worked_order(game: AnyGame, language: str, most: int = 1) -> list[Block]:
    """Orders as an example, behind a bar so that they are never read, and what the names mean."""
    examples = game.say("order-examples", {}, spoken_in(language)).splitlines()
    return [
        Plain("\n".join(f"| {line}" for line in examples[:most])),
        Words(game.say("order-naming", {}, spoken_in(language))),
    ]


def envelope(reader: Reader, lines: Sequence[str]) -> str:
    return "\n".join([f"{reader.words('begin')} {reader.token}", *lines, reader.words("end")])
