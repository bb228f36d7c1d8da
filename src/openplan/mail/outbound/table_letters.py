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
from openplan.core.scene import Panel, Scene
from openplan.core.sentences import Sentences, spoken_in
from openplan.mail.commands.help import help_lines
from openplan.mail.commands.port import Role
from openplan.mail.outbound.letter import Block, Drawing, Heading, Letter, Picture, Plain, Words
from openplan.mail.widths import PROSE, WIDTH
from openplan.render import svg, text

_SENTENCES: Final = Sentences.of("letters")

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


def invitation(game: AnyGame, host: str, name: str, site: str, reader: Reader) -> Letter:
    """To somebody who has no seat yet. Only what they write themselves takes one: a reply that
    quotes the letter must not."""
    say = reader.words
    blocks: list[Block] = [
        *header(game, Table(name, 0), reader),
        Words(say("invite", host=host, title=game.title)),
        Heading(say("brief")),
        Words(game.say("brief", {}, spoken_in(reader.language))),
        Words(say("invite-how")),
        Plain(envelope(reader, ["____"])),
        Words(say("invite-not")),
        *_site(site, reader),
    ]
    return Letter("invitation", say("subject-invitation", title=game.title, host=host), blocks)


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
        *_times(table, reader),
        *_site(table.site, reader),
        Heading(say("brief")),
        Words(game.say("brief", {}, reader.language)),
        *_position(match, reader),
        *_form(match, reader),
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
) -> Letter:
    """What happened after entry `since` of the log, how the table stands, and the next orders; once
    the match is over, the result. All are told what of it the game master did, who is told who was
    `absent`."""
    say, outcome = reader.words, match.outcome
    blocks = [
        *header(match.game, table, reader, is_over=outcome is not None),
        *([] if outcome is not None else _times(table, reader)),
        Heading(say("happened")),
        *([Words(_told(table, reader, "master", by_master))] if by_master else []),
        *happened(match, reader, since),
        *([Words(say("master-absent", names=_players(match, absent)))] if absent else []),
        *_position(match, reader),
        *_press(press, reader),
        *(_form(match, reader) if outcome is None else []),
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
        *_times(table, reader, late=late),
        *_form(match, reader),
    ]
    subject = reader.words(f"subject-{said}", title=game.title, turn=table.turn)
    return Letter(kind, subject, blocks)


def press_letter(game: AnyGame, table: Table, reader: Reader, press: Press) -> Letter:
    """Press that is not held back for the report."""
    blocks = [
        *header(game, table, reader),
        *_press([press], reader),
        *([Words(reader.words("answer-press"))] if reader.token else []),
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
        *_times(table, reader),
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
        *_times(table, reader),
        *_site(table.site, reader),
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
        *_times(table, reader, late=late),
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
    outcome = match.outcome
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


def _position(match: Match, reader: Reader) -> Iterator[Block]:
    yield from draw_table(match, reader)
    yield from draw_hand(match, reader)


def draw_table(match: Match, reader: Reader) -> Iterator[Block]:
    """The boards as pictures and as text, what else lies there, and the standings."""
    scene: Scene = match.game.scene(match.view(reader.seat), spoken_in(reader.language))
    for number, board in enumerate(scene.boards):
        blocks = text.draw_board(board, WIDTH)
        drawn = "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks)
        yield Drawing(drawn, Picture(f"board{number}", svg.draw_board(board), board.title))
    others = [panel for panel in scene.panels if not panel.is_private]
    if others:
        yield Heading(reader.words("table"))
        yield from (_cards(panel, f"cards{number}") for number, panel in enumerate(others))
    if scene.key:
        yield Heading(reader.words("key"))
        yield Words("\n".join(scene.key))
    yield Heading(reader.words("standings"))
    yield Words("\n".join([*(f"- {line}" for line in scene.standings), *scene.status]))


def draw_hand(match: Match, reader: Reader) -> Iterator[Block]:
    """In a part of its own what the reader alone may see."""
    scene: Scene = match.game.scene(match.view(reader.seat), spoken_in(reader.language))
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


def _form(match: Match, reader: Reader) -> list[Block]:
    """An order form to edit, for who may order something now."""
    if reader.seat is None or reader.seat not in match.to_act:
        return []
    lines = match.game.order_form(match.view(reader.seat), spoken_in(reader.language))
    if not lines:
        return []
    return [
        Heading(reader.words("orders")),
        Words(reader.words("fill")),
        Plain(envelope(reader, lines)),
    ]


def envelope(reader: Reader, lines: Sequence[str]) -> str:
    return "\n".join([f"{reader.words('begin')} {reader.token}", *lines, reader.words("end")])
