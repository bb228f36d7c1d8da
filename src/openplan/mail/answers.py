"""The answer to a mail: what was made of each line, all that is now held, what was asked for.

Nothing in an answer can be read as an order when it is quoted: the lines of the mail stand behind a
bar, and what is held is told in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openplan.core.game import Refusal
from openplan.core.match import Match
from openplan.mail.judge import Judgement
from openplan.mail.letter import Block, Heading, Letter, Plain, Words
from openplan.mail.letters import Reader, Table, happened, header
from openplan.mail.verdicts import tell_verdicts

ENGLISH: Final = {
    "subject": "{title}: your mail of today, line by line",
    "subject-nothing": "{title}: nothing of your mail was carried out",
    "trouble": "Nothing of your mail was carried out: {reason}.",
    "lines": "Your lines",
    "others": "Lines that stand outside, are quoted or empty were not read.",
    "held": "Held for you now",
    "none-held": "Nothing is held for you.",
    "missing": "Orders can be changed until the deadline: what comes last counts.",
    "forecast": "Forecast",
    "forecast-none": "There is nothing to forecast: nothing is held for you.",
    "forecast-points": "As the table stands, and if nobody else did anything, it would be {points}"
    " points more. The others' orders are not known to this forecast.",
    "history": "Turn {turn}",
}
GERMAN: Final = {
    "subject": "{title}: deine Mail von heute, Zeile für Zeile",
    "subject-nothing": "{title}: von deiner Mail wurde nichts ausgeführt",
    "trouble": "Von deiner Mail wurde nichts ausgeführt: {reason}.",
    "lines": "Deine Zeilen",
    "others": "Zeilen, die außerhalb stehen, zitiert oder leer sind, wurden nicht gelesen.",
    "held": "Was jetzt von dir vorliegt",
    "none-held": "Von dir liegt nichts vor.",
    "missing": "Bis zur Frist lassen sich Züge ändern: Was zuletzt kommt, gilt.",
    "forecast": "Vorschau",
    "forecast-none": "Es gibt nichts vorherzusagen: Von dir liegt nichts vor.",
    "forecast-points": "Wie der Tisch jetzt steht, und wenn sonst niemand etwas täte, wären es"
    " {points} Punkte mehr. Die Züge der anderen kennt diese Vorschau nicht.",
    "history": "Runde {turn}",
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
    words = LANGUAGES.get(reader.language, ENGLISH)
    blocks: list[Block] = []
    if match is not None and table is not None:
        blocks += header(match, table, reader)
    if judgement.trouble is not None:
        blocks.append(Words(words["trouble"].format(reason=judgement.trouble.reason)))
    else:
        lines = tell_verdicts(judgement)
        if lines:
            blocks += [Heading(words["lines"]), Plain("\n".join(lines)), Words(words["others"])]
    if reader.seat is not None:
        blocks.append(Heading(words["held"]))
        if judgement.held:
            blocks.append(Words("\n".join(f"- {line}" for line in judgement.held)))
            blocks.append(Words(words["missing"]))
        else:
            blocks.append(Words(words["none-held"]))
    blocks += enclosed
    subject = words["subject-nothing" if judgement.trouble is not None else "subject"]
    return Letter("answer", subject.format(title=title), blocks)


# -- What may be asked for -------------------------------------------------------------------


def forecast(match: Match, reader: Reader) -> list[Block]:
    """The reader's own orders on the table as it stands: nobody else's are looked at."""
    words, game = LANGUAGES.get(reader.language, ENGLISH), match.game
    view = match.view(reader.seat)
    held = game.held(view)
    if held is None:
        return [Heading(words["forecast"]), Words(words["forecast-none"])]
    after = game.preview(view, held)
    lines = []
    for event in (event.seen_by(reader.seat) for event in after.events):
        lines.append(f"- {_sentence(game.say(event.code, event.params, reader.language))}")
    warned = [_warning(match, reader, warning) for warning in game.warnings(view, held)]
    points = words["forecast-points"].format(points=f"{after.points:+}")
    return [Heading(words["forecast"]), Words("\n".join([*lines, *warned])), Words(points)]


def _warning(match: Match, reader: Reader, warning: Refusal) -> str:
    said = match.game.say(warning.code, warning.params, reader.language)
    return f"- {_sentence(said)} [{warning.clause}]"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def history(match: Match, reader: Reader, turns: Sequence[tuple[int, int, int]]) -> list[Block]:
    """What happened in turns, each with its number and the entries before and after it."""
    words = LANGUAGES.get(reader.language, ENGLISH)
    blocks: list[Block] = []
    for turn, since, until in turns:
        blocks.append(Heading(words["history"].format(turn=turn)))
        blocks += happened(match.at(until), reader, since)
    return blocks
