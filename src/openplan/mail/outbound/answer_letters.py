"""The answer to a mail: what was made of each line, all that is now held, what was asked for.

Nothing in an answer can be read as an order when it is quoted: the lines of the mail stand behind a
bar, and what is held is told in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import wrap
from typing import Final

from openplan.core.match import Match
from openplan.core.sentences import Sentences, spoken_in
from openplan.mail.commands.judge import Judgement, Ruling, Verdict
from openplan.mail.outbound.letter import Block, Heading, Letter, Plain, Words, distinct
from openplan.mail.outbound.table_letters import (
    Reader,
    Table,
    envelope,
    form,
    happened,
    header,
    place,
    position,
)
from openplan.mail.widths import PROSE

_SENTENCES: Final = Sentences.of("answers")
_SHOWN: Final = PROSE - 6
_SIGNS: Final = {
    Ruling.UNDERSTOOD: "+",
    Ruling.WARNED: "?",
    Ruling.IGNORED: " ",
    Ruling.REFUSED: "-",
}


@dataclass(frozen=True, slots=True)
class HowReady:
    """Whether the turn still waits for the reader's seat before its deadline."""

    is_ready: bool
    lacks: Sequence[str] = ()
    """The parts for which more could be ordered."""
    only_at_deadline: bool = False


def answer(
    judgement: Judgement,
    title: str,
    match: Match | None,
    table: Table | None,
    reader: Reader,
    enclosed: Sequence[Block] = (),
    readiness: HowReady | None = None,
) -> Letter:
    """For whoever wrote the mail, and for nobody else. `title` is the game's, or the house's."""
    words = _SENTENCES.languages[spoken_in(reader.language)]
    blocks: list[Block] = []
    if match is not None and table is not None:
        is_over = match.outcome is not None
        blocks += header(match.game, table, reader, is_over=is_over)
        blocks += place(table, reader, is_over=is_over)
    if judgement.trouble is not None:
        blocks.append(Words(words["trouble"].format(reason=judgement.trouble.reason)))
    else:
        lines = tell_verdicts(judgement, reader.language)
        if lines:
            blocks += [Heading(words["lines"]), Plain("\n".join(lines))]
        if any(verdict.code in ("outside", "quoted") for verdict in judgement.verdicts):
            blocks.append(Words(words["others"]))
    if match is not None and table is not None and reader.seat is not None and match.game.parts:
        blocks += _held(judgement, table, reader, readiness)
    if match is not None and reader.seat is not None and _has_moved(judgement, match):
        blocks += tell_move(match, reader)
    blocks += enclosed
    if reader.token and any(verdict.code == "prove" for verdict in judgement.verdicts):
        blocks += [Words(words["prove"]), Plain(envelope(reader, ["____"]))]
    elif reader.token and judgement.is_in_vain:
        blocks += [Words(words["how"]), Plain(envelope(reader, ["____"]))]
    subject = words["subject-nothing" if judgement.trouble is not None else "subject"]
    return Letter("answer", subject.format(title=title), distinct(blocks))


def _has_moved(judgement: Judgement, match: Match) -> bool:
    """Whether lines of this mail were carried out at once, in a game that holds none."""
    return not match.game.parts and any(
        verdict.code == "ordered" and verdict.ruling is Ruling.UNDERSTOOD
        for verdict in judgement.verdicts
    )


def tell_move(match: Match, reader: Reader) -> Iterator[Block]:
    """What the move has brought: what happened from it on, the table after it, the hand with what
    was drawn; and the next form, if the mover goes on."""
    own = [
        n for n, entry in enumerate(match.log) if (entry.kind, entry.seat) == ("move", reader.seat)
    ]
    yield Heading(reader.words("happened"))
    yield from happened(match, reader, own[-1] if own else match.ply)
    yield from position(match, reader)
    if match.outcome is None:
        yield from form(match, reader)


def _held(
    judgement: Judgement, table: Table, reader: Reader, readiness: HowReady | None
) -> Iterator[Block]:
    """Where a game holds orders: all of them; or, if they were the last to come, what became of
    them."""
    words, who = _SENTENCES.languages[spoken_in(reader.language)], judgement.who
    lines = Words("\n".join(f"- {line}" for line in judgement.held))
    if judgement.has_acted and judgement.held and who is not None and table.turn > who.turn > 0:
        yield from (Heading(words["opened"]), Words(words["opened-why"]), lines)
        return
    yield Heading(words["held"])
    if judgement.held:
        yield from (lines, Words(words["held-change"]))
        if readiness is not None:
            yield Words(" ".join(_ready(judgement, readiness, words)))
    else:
        yield Words(words["held-none"])


def _ready(judgement: Judgement, readiness: HowReady, words: Mapping[str, str]) -> Iterator[str]:
    """Saved is not ready: what the seat's orders count for before the deadline."""
    if readiness.only_at_deadline:
        yield words["ready-deadline"]
    elif readiness.is_ready:
        yield words["ready"]
    else:
        if any(verdict.ruling is Ruling.REFUSED for verdict in judgement.verdicts):
            yield words["ready-refused"]
        elif readiness.lacks:
            yield words["ready-lacks"].format(parts=", ".join(readiness.lacks))
        yield words["ready-not"]


def tell_verdicts(judgement: Judgement, language: str) -> list[str]:
    """Every line that somebody meant for us, with what became of it, at 60 columns. Behind a bar
    nothing is read, should it come back without marks."""
    if judgement.trouble is not None:
        return list(_reason(judgement.trouble, language))
    lines: list[str] = []
    shown = [verdict for verdict in judgement.verdicts if verdict.ruling is not Ruling.IGNORED]
    shown = [verdict for verdict in shown if verdict.code != "marker"]
    told = [v for v in judgement.verdicts if v.code in ("blank", "replaced", "bare")]
    ordered = sorted([*shown, *told], key=lambda verdict: (verdict.first, verdict.last))
    texts = {line.number: line.text for line in judgement.mail.lines}
    for (first, last), verdicts in groupby(ordered, lambda verdict: (verdict.first, verdict.last)):
        for number in range(first, last + 1):
            text = texts.get(number, "").strip()
            if len(text) > _SHOWN:
                text = text[: _SHOWN - 3] + "..."
            lines.append(f"{number:4}| {text}".rstrip())
        for verdict in verdicts:
            lines += _reason(verdict, language)
    return lines


def _reason(verdict: Verdict, language: str) -> Iterator[str]:
    clause = f" [{verdict.clause}]" if verdict.clause else ""
    sign = _SIGNS[verdict.ruling]
    yield from wrap(
        verdict.reason + clause,
        PROSE,
        initial_indent=f"    | {sign} ",
        subsequent_indent="    |   ",
    )
    if verdict.instead:
        yield f"    |   {_SENTENCES.say('instead', {}, language)}"
        yield from (f"    |     {line}" for line in verdict.instead)
