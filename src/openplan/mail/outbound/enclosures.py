"""What an answer encloses for who asks: help, rules, games, a forecast, what happened, who has
ordered. Each is a heading and what stands below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from openplan.core.game import AnyGame, Refusal
from openplan.core.match import Match
from openplan.core.registry import all_games
from openplan.core.sentences import Sentences, spoken_in
from openplan.mail.commands.help import help_lines
from openplan.mail.commands.port import Role
from openplan.mail.outbound.letter import Block, Heading, Plain, Words
from openplan.mail.outbound.rulebook import Clause, clauses, looked_up
from openplan.mail.outbound.table_letters import (
    Reader,
    happened,
    result,
    sentence,
    when,
    worked_order,
)
from openplan.mail.widths import PROSE

_SENTENCES: Final = Sentences.of("enclosures")

MOST_EXAMPLES: Final = 20


def _say(language: str, code: str, **params: object) -> str:
    return _SENTENCES.say(code, params, language)


# -- For anybody -----------------------------------------------------------------------------


def help_(role: Role, topic: str, language: str, more: Sequence[str] = ()) -> Iterator[Block]:
    """`more` stands below what is told of a command."""
    yield Heading(_say(language, "help"))
    yield Words(_say(language, "help-more"))
    yield Plain("\n".join([*help_lines(role, topic, language), *more]))


def help_with_orders(game: AnyGame | None, name: str, language: str) -> Iterator[Block]:
    """How orders are written: in the game that is named, or in that of the reader's table."""
    games = all_games()
    game = games.get(name, game)
    yield Heading(_say(language, "help-orders"))
    if game is None:
        yield Plain("\n".join(f"| HELP ORDERS {one}" for one in sorted(games)))
        yield Words(_say(language, "help-orders-games"))
        return
    yield Words(_say(language, "help-orders-how", title=game.title))
    yield from worked_order(game, language, MOST_EXAMPLES)


def rules(game: AnyGame | None, topic: str, site: str, language: str) -> Iterator[Block]:
    """Without a topic the list of clauses; at no table, a game may be named, and its clauses."""
    yield Heading(_say(language, "rules"))
    games = all_games()
    head, _, rest = topic.partition(" ")
    if head in games:
        game, topic = games[head], rest
    elif game is None:
        # A clause's number begins as its game's clauses do.
        named = [one for one in games.values() if _prefix(one) == head.partition("-")[0].upper()]
        if not named:
            titles = "\n".join(f"| {name}: {one.title}" for name, one in sorted(games.items()))
            yield Plain(titles)
            yield Words(_say(language, "rules-games"))
            return
        game = named[0]
    if not topic:
        yield Words(game.say("brief", {}, spoken_in(language)))
        yield Plain("\n".join(_contents(game, language)))
        yield Words(_say(language, "rules-ask", number=clauses(game.name)[0].number))
        yield Words(_say(language, "rules-site", site=f"{site}/rules/{game.name}"))
        return
    if topic in ("all", "alle", "alles"):
        yield from _all_of(game, language)
        return
    found = looked_up(game.name, topic, spoken_in(language))
    if not found:
        yield Words(_say(language, "rules-none", topic=topic))
        yield Words(_say(language, "rules-ask", number=clauses(game.name)[0].number))
    for clause in found:
        yield Plain("\n".join(_clause(clause)))


def _all_of(game: AnyGame, language: str) -> Iterator[Block]:
    part = ""
    for clause in clauses(game.name, spoken_in(language)):
        if clause.part != part:
            part = clause.part
            yield Heading(part)
        yield Plain("\n".join(_clause(clause)))


def _prefix(game: AnyGame) -> str:
    return clauses(game.name)[0].number.partition("-")[0]


def _contents(game: AnyGame, language: str) -> Iterator[str]:
    part = ""
    for clause in clauses(game.name, spoken_in(language)):
        if clause.part != part:
            part = clause.part
            yield f"| {part}"
        yield f"|   {clause.number} {clause.title}"


def _clause(clause: Clause) -> Iterator[str]:
    """Behind a bar: a clause may show how orders are written."""
    yield f"| {clause.number} {clause.title}"
    for line in clause.lines:
        yield from wrap(line, PROSE, initial_indent="|   ", subsequent_indent="|   ")


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table in a list. `address` is where its reader can write to it."""

    name: str
    title: str
    state: str
    empty: int = 0
    seat: str = ""
    is_master: bool = False
    address: str = ""


def tables(own: Sequence[TableLine], others: Sequence[TableLine], language: str) -> Iterator[Block]:
    for heading, rows in (("list-own", own), ("list-all", others)):
        if rows or heading == "list-all":
            yield Heading(_say(language, heading))
            lines = [line for row in rows for line in _listed(row, language)]
            yield Plain("\n".join(lines)) if lines else Words(_say(language, "list-none"))


def _listed(row: TableLine, language: str) -> Iterator[str]:
    said = [_say(language, row.state, empty=row.empty)]
    if row.seat:
        said.append(_say(language, "you-are", seat=row.seat))
    if row.is_master:
        said.append(_say(language, "you-master"))
    yield f"| {row.name}: {row.title}, {', '.join(said)}"
    if row.address:
        yield f"|     {_say(language, 'reply-to', address='')}"
        yield f"|     {row.address}"


def game_heading(name: str, title: str, state: str, empty: int, language: str) -> Iterator[Block]:
    yield Heading(_say(language, "game", name=name))
    yield Words(f"{title}: {_say(language, state, empty=empty)}.")


# -- At a table ------------------------------------------------------------------------------


def forecast(match: Match, reader: Reader) -> Iterator[Block]:
    """The reader's own orders on the table as it stands: nobody else's are looked at."""
    language, game = spoken_in(reader.language), match.game
    view = match.view(reader.seat)
    held = game.held(view)
    yield Heading(_say(language, "forecast"))
    if held is None:
        said = "forecast-none" if game.parts else "forecast-at-once"
        yield Words(_say(language, said, title=game.title))
        return
    after = game.preview(view, held)
    lines = [
        f"- {sentence(game.say(event.code, event.params, language))}"
        for event in (event.seen_by(reader.seat) for event in after.events)
        if event.code not in game.notation_events
    ]
    lines += [_warning(game, warning, language) for warning in game.warnings(view, held)]
    yield Words("\n".join(lines))
    yield Words(_say(language, "forecast-points", points=f"{after.points:+}"))


def _warning(game: AnyGame, warning: Refusal, language: str) -> str:
    return f"- {sentence(game.say(warning.code, warning.params, language))} [{warning.clause}]"


def history(match: Match, reader: Reader, turns: Sequence[tuple[int, int, int]]) -> Iterator[Block]:
    """What happened in turns, each with its number and the entries before and after it."""
    if not turns:
        yield Words(_say(reader.language, "history-none"))
    for turn, since, until in turns:
        yield Heading(_say(reader.language, "history", turn=turn))
        yield from happened(match.at(until), reader, since)
        yield from result(match.at(until), reader)


@dataclass(frozen=True, slots=True)
class Progress:
    """How a turn stands, as far as the reader may know: `missing` is nothing where that is
    hidden."""

    missing: Sequence[str] | None
    due: int | None
    zone: str
    waits: bool = False


def status(match: Match, turn: Progress, reader: Reader, *, for_master: bool) -> Iterator[Block]:
    def say(code: str, **params: object) -> str:
        return _say(reader.language, code, **params)

    yield Heading(say("preview" if for_master else "status"))
    seats = zip(match.game.seats, match.names, strict=True)
    lines = [f"- {code}: {name}" for code, name in seats]
    if turn.missing is None:
        lines.append(f"- {say('status-hidden')}")
    elif turn.missing:
        lines.append(f"- {say('status-missing', names=', '.join(turn.missing))}")
    elif match.outcome is None:
        lines.append(f"- {say('status-all')}")
    if turn.due is not None:
        lines.append(f"- {say('status-due', due=when(turn.due, turn.zone))}")
    if turn.waits:
        lines.append(f"- {say('status-wait')}")
    yield Words("\n".join(lines))


def printed(language: str) -> Iterator[Block]:
    yield Heading(_say(language, "printed"))
    yield Words(_say(language, "printed-how"))


def looked_back(lines: Sequence[str], language: str) -> Iterator[Block]:
    """A review in words; behind a bar, since it quotes moves."""
    yield Heading(_say(language, "review"))
    yield Plain("\n".join(f"| {line}".rstrip() for line in lines))


def looking_back(percent: int, language: str) -> Iterator[Block]:
    """A review that is still being made."""
    yield Heading(_say(language, "review"))
    yield Words(_say(language, "review-made", percent=percent))


def diary(text: str, language: str) -> Iterator[Block]:
    yield Heading(_say(language, "diary"))
    if not text:
        yield Words(_say(language, "diary-none"))
        return
    # Behind a bar, like all that somebody wrote: it may look like an order.
    lines = (part for line in text.splitlines() for part in wrap(line, PROSE - 2) or [""])
    yield Plain("\n".join(f"| {line}" for line in lines))
