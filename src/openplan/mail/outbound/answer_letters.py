"""The answer to a mail: what was made of each line, all that is now held, what was asked for.

Nothing in an answer can be read as an order when it is quoted: the lines of the mail stand behind a
bar, and what is held is told in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from openplan.core.match import Match
from openplan.mail.commands.judge import Judgement
from openplan.mail.outbound.letter import Block, Heading, Letter, Plain, Words
from openplan.mail.outbound.table_letters import Reader, Table, envelope, header
from openplan.mail.outbound.verdicts import tell_verdicts
from openplan.mail.sentences.letters import spoken_in

ENGLISH: Final = {
    "subject": "{title}: your mail, line by line",
    "subject-nothing": "{title}: nothing of your mail was carried out",
    "trouble": "Nothing of your mail was carried out: {reason}.",
    "lines": "Your lines",
    "others": "Lines that stand outside BEGIN and END, are quoted or empty were not read.",
    "held": "Held for you now",
    "held-none": "Nothing is held for you.",
    "held-change": "Orders can be changed until the deadline: what comes last counts.",
    "opened": "Carried out",
    "opened-why": "With your mail all orders were in, and the turn was carried out. These were"
    " yours; a report is on its way.",
    "how": "What you write for us stands between a line BEGIN and a line END; 'HELP' in place of"
    " the blank brings all that can stand there:",
    "prove": "To show that it is you, reply to this letter and write the line again in place of"
    " the blank:",
}
GERMAN: Final = {
    "subject": "{title}: deine Mail, Zeile für Zeile",
    "subject-nothing": "{title}: von deiner Mail wurde nichts ausgeführt",
    "trouble": "Von deiner Mail wurde nichts ausgeführt: {reason}.",
    "lines": "Deine Zeilen",
    "others": "Zeilen, die nicht zwischen BEGIN und END stehen, zitiert oder leer sind, wurden"
    " nicht gelesen.",
    "held": "Was jetzt von dir vorliegt",
    "held-none": "Von dir liegt nichts vor.",
    "held-change": "Bis zur Frist lassen sich Züge ändern: Was zuletzt kommt, gilt.",
    "opened": "Ausgeführt",
    "opened-why": "Mit deiner Mail waren alle Züge da, und die Runde wurde ausgeführt. Dies waren"
    " deine; ein Bericht ist unterwegs.",
    "how": "Was du uns schreibst, steht zwischen einer Zeile BEGIN und einer Zeile END; 'HELP' in"
    " der Lücke bringt alles, was dort stehen kann:",
    "prove": "Um zu zeigen, dass du es bist, antworte auf diesen Brief und schreib die Zeile noch"
    " einmal in die Lücke:",
}
LANGUAGES: Final = {"en": ENGLISH, "de": GERMAN}


def answer(
    judgement: Judgement,
    title: str,
    match: Match | None,
    table: Table | None,
    reader: Reader,
    enclosed: Sequence[Block] = (),
) -> Letter:
    """For whoever wrote the mail, and for nobody else. `title` is the game's, or the house's."""
    words = LANGUAGES[spoken_in(reader.language)]
    blocks: list[Block] = []
    if match is not None and table is not None:
        blocks += header(match.game, table, reader, is_over=match.outcome is not None)
    if judgement.trouble is not None:
        blocks.append(Words(words["trouble"].format(reason=judgement.trouble.reason)))
    else:
        lines = tell_verdicts(judgement)
        if lines:
            blocks += [Heading(words["lines"]), Plain("\n".join(lines))]
        if any(verdict.code in ("outside", "quoted") for verdict in judgement.verdicts):
            blocks.append(Words(words["others"]))
    if match is not None and table is not None and reader.seat is not None and match.game.parts:
        blocks += _held(judgement, table, reader)
    blocks += enclosed
    if reader.token and any(verdict.code == "prove" for verdict in judgement.verdicts):
        blocks += [Words(words["prove"]), Plain(envelope(reader.token, ["____"]))]
    elif reader.token and judgement.is_in_vain:
        blocks += [Words(words["how"]), Plain(envelope(reader.token, ["____"]))]
    subject = words["subject-nothing" if judgement.trouble is not None else "subject"]
    return Letter("answer", subject.format(title=title), blocks)


def _held(judgement: Judgement, table: Table, reader: Reader) -> Iterator[Block]:
    """Where a game holds orders: all of them; or, if they were the last to come, what became of
    them."""
    words, who = LANGUAGES[spoken_in(reader.language)], judgement.who
    lines = Words("\n".join(f"- {line}" for line in judgement.held))
    if judgement.has_acted and judgement.held and who is not None and table.turn > who.turn > 0:
        yield from (Heading(words["opened"]), Words(words["opened-why"]), lines)
        return
    yield Heading(words["held"])
    if judgement.held:
        yield from (lines, Words(words["held-change"]))
    else:
        yield Words(words["held-none"])
