"""A judgement as lines of an answer, none of which is ever read as a command or an order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap
from typing import Final

from openplan.mail.commands.judge import Judgement, Ruling, Verdict
from openplan.mail.widths import PROSE

_SHOWN: Final = PROSE - 6
_SIGNS: Final = {
    Ruling.UNDERSTOOD: "+",
    Ruling.WARNED: "?",
    Ruling.IGNORED: " ",
    Ruling.REFUSED: "-",
}


def tell_verdicts(judgement: Judgement) -> list[str]:
    """Every line that somebody meant for us, with what became of it, at 60 columns. Behind a bar
    nothing is read, should it come back without marks."""
    if judgement.trouble is not None:
        return list(_reason(judgement.trouble))
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
            lines += _reason(verdict)
    return lines


def _reason(verdict: Verdict) -> Iterator[str]:
    clause = f" [{verdict.clause}]" if verdict.clause else ""
    sign = _SIGNS[verdict.ruling]
    yield from wrap(
        verdict.reason + clause,
        PROSE,
        initial_indent=f"    | {sign} ",
        subsequent_indent="    |   ",
    )
