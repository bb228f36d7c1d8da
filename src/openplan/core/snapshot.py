"""Where a log has led, as bytes: a cache, so that going on need not begin at the start.

It holds what replaying the entries would make of them and nothing that they do not lead to; the
entries themselves stay in the log. Bytes that were not written by this form are refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from openplan.core.game import Event, Happening, Outcome, Seat, Secret
from openplan.core.log import Entry, Line, Reversal
from openplan.core.match import Match

FORMAT: Final = 2
"""To be raised with every change of what stands in it."""


def dump(match: Match) -> bytes:
    lines = _Lines()
    log = match.whole_log
    befores = [lines.number(log.line_before(number)) for number in range(1, len(log) + 1)]
    content = {
        "format": FORMAT,
        "rules": match.rules,
        "ply": match.ply,
        "state": match.game.dump(match.state).decode("latin-1"),
        "decided": _from_outcome(match.decided),
        "withdrawn": sorted(match.withdrawn),
        "paused": match.paused,
        "names": match.names,
        "happenings": [_from_happening(one) for one in log.happenings],
        "befores": befores,
        "line": lines.number(log.line),
        "lines": lines.nodes,
    }
    return json.dumps(content, separators=(",", ":")).encode()


def load(match: Match, entries: Sequence[Entry], data: bytes) -> None:
    """Let a match at its start stand where its first entries lead. `ValueError` if the snapshot is
    of another form or length; that it is one of these entries is for the caller to know."""
    content = json.loads(data)
    expected = (FORMAT, match.rules, len(entries))
    if match.ply or (content["format"], content["rules"], content["ply"]) != expected:
        raise ValueError("a snapshot of another form")
    happenings = [_to_happening(one) for one in content["happenings"]]
    nodes: list[Line | None] = [None]
    for number, before in content["lines"]:
        nodes.append(Line(number, nodes[before]))
    befores = [nodes[number] for number in content["befores"]]
    afters = [*befores[1:], nodes[content["line"]]]
    log = match.whole_log
    for entry, happening, line in zip(entries, happenings, afters, strict=True):
        log.write(entry, happening, line)
        if log.entries[-1] != entry:
            raise ValueError("a snapshot of another log")
    match.stand(
        match.game.load(match.deck, content["state"].encode("latin-1")),
        _to_outcome(content["decided"]),
        {Seat(seat) for seat in content["withdrawn"]},
        content["names"],
        paused=content["paused"],
    )


class _Lines:
    """Chains share their beginnings; each link is written once, after the one before it."""

    def __init__(self) -> None:
        self.nodes: list[tuple[int, int]] = []
        self._numbers: dict[int, int] = {}

    def number(self, line: Line | None) -> int:
        """0 is the empty chain."""
        new = []
        while line is not None and id(line) not in self._numbers:
            new.append(line)
            line = line.before
        number = 0 if line is None else self._numbers[id(line)]
        for link in reversed(new):
            self.nodes.append((link.number, number))
            number = self._numbers[id(link)] = len(self.nodes)
        return number


# -- Happenings ------------------------------------------------------------------------------


def _from_happening(happening: Happening) -> list[Any]:
    events = [
        [event.code, event.clause, _from_value(event.params), _from_value(event.fact)]
        for event in happening.events
    ]
    numbers = None
    if isinstance(happening, Reversal):
        numbers = [[viewer, number] for viewer, number in happening.numbers.items()]
    return [_from_value(happening.text), events, happening.reveals, numbers]


def _to_happening(content: list[Any]) -> Happening:
    text, told, reveals, numbers = content
    events = tuple(
        Event(code, clause, _to_value(params), _to_value(fact))
        for code, clause, params, fact in told
    )
    if numbers is not None:
        return Reversal(text, events, reveals, dict(numbers))
    return Happening(_to_value(text), events, reveals)


def _from_value(value: Any) -> Any:
    """What JSON has no form for is named: a secret, a tuple. A mapping's own names are no such."""
    if value is None or isinstance(value, str | int):  # most are
        return value
    if isinstance(value, Secret):
        return {"!secret": [value.text, value.cover, list(value.knows)]}
    if isinstance(value, tuple):
        return {"!tuple": [_from_value(one) for one in value]}
    if isinstance(value, Mapping):
        return {name: _from_value(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_from_value(one) for one in value]
    return value


def _to_value(content: Any) -> Any:
    if isinstance(content, dict):
        if "!secret" in content:
            text, cover, knows = content["!secret"]
            return Secret(text, cover, frozenset(knows))
        if "!tuple" in content:
            return tuple(_to_value(one) for one in content["!tuple"])
        return {name: _to_value(one) for name, one in content.items()}
    if isinstance(content, list):
        return [_to_value(one) for one in content]
    return content


def _from_outcome(outcome: Outcome | None) -> list[Any] | None:
    if outcome is None:
        return None
    return [list(outcome.winners), list(outcome.points), outcome.reason, outcome.clause]


def _to_outcome(content: list[Any] | None) -> Outcome | None:
    if content is None:
        return None
    winners, points, reason, clause = content
    return Outcome(tuple(Seat(seat) for seat in winners), tuple(points), reason, clause)
