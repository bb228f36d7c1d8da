"""Numbered public cases: small readable texts that show what a rule allows and forbids.

    case HR.5.4.2                         the clause, then which of its cases
    title A block that slides as a whole forms nothing new
    title-de Ein Block, der als Ganzes gleitet, bildet nichts Neues
    office                                the table: keys of the game's positions, and house rules
      DDL.
      LLD.
    hand A  M04d P01l
    do A: hire M04d shift 0+E1 east 1     plays a move
    refuse A: place P01l E9 = not-adjacent HR-4.1
    expect scored A  none                 looks at the table as it is then

`expect` asks what the game's `view_data` shows to the viewer from whom nothing is hidden, or with
`expect view B hand: P01l` to another; a game may answer more (`AnswersCases`). After the name of a
thing that each seat has comes the seat, and `none` stands for nothing. `do -: deadline` is no
seat's entry. The viewer `spectator`, or S where no seat is called so, has no seat. A drawing is
indented by two spaces. Lines that begin with `#`, and are not indented, are comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, runtime_checkable

from openplan.core.deck import Deck
from openplan.core.game import OPEN, AnyGame, GameError, Position, Seat, Viewer
from openplan.core.grid import format_square, parse_square
from openplan.core.match import Match
from openplan.core.sentences import LANGUAGES

NOTHING: Final = "none"
SPECTATOR: Final = ("spectator", "S")
NO_SEAT: Final = "-"
_INDENT: Final = "  "


@runtime_checkable
class AnswersCases(Protocol):
    """A game with `expect` lines of its own."""

    def answer_case(self, match: Match, text: str) -> str | None:
        """The text after `expect` as it would have to read to be true here; `None` if it asks
        nothing that is this game's own."""
        ...


class CaseError(ValueError):
    """A case file that cannot be read: which line, and why."""

    def __init__(self, source: str, line: int, fault: str) -> None:
        super().__init__(f"{source}:{line}: {fault}")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a case that does something: `do` or `refuse` a move of `seat`, or `expect`."""

    number: int
    verb: str
    text: str
    seat: str = ""
    refusal: str = ""
    rows: tuple[str, ...] = ()
    at: str = "0"


@dataclass(frozen=True, slots=True)
class Case:
    source: str
    line: int
    name: str
    title: str
    position: Position
    lines: tuple[Line, ...]
    translations: Mapping[str, str] = field(default_factory=dict)
    """Titles in other languages: of the cases that are examples in a booklet."""

    def title_in(self, language: str) -> str:
        """Nothing where it has none."""
        return self.title if language == "en" else self.translations.get(language, "")


@dataclass(frozen=True, slots=True)
class Failure:
    """What a case expected and what it got; `match` stands where it went wrong."""

    case: Case
    line: int
    expected: str
    got: str
    match: Match | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return (
            f"{self.case.source}:{self.line}: {self.case.name} {self.case.title}\n"
            f"    expected  {self.expected}\n    got       {self.got}"
        )


# -- Reading ---------------------------------------------------------------------------------


def parse_cases(text: str, source: str, game: AnyGame) -> list[Case]:
    """All cases of a file; `CaseError` names the first line that is not as it should be."""
    cases: list[Case] = []
    for reader in _blocks(text, source, game):
        case = reader.case()
        if any(case.name == other.name for other in cases):
            raise CaseError(source, case.line, f"there is another case {case.name}")
        cases.append(case)
    return cases


def _blocks(text: str, source: str, game: AnyGame) -> Iterator[_Reader]:
    """The file cut before every line that begins a case; comments and empty lines left out."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        if _word(line) == "case":
            if block:
                yield _Reader(source, block, game)
            block = []
        elif not block:
            raise CaseError(source, number, "a file begins with a line such as `case HR.5.4.2`")
        block.append((number, line))
    if block:
        yield _Reader(source, block, game)


class _Reader:
    """One case, line by line."""

    def __init__(self, source: str, block: Sequence[tuple[int, str]], game: AnyGame) -> None:
        self.source = source
        self.block = block
        self.game = game
        self.place = 0

    def fault(self, fault: str) -> CaseError:
        return CaseError(self.source, self.block[self.place][0], fault)

    def case(self) -> Case:
        name = self._rest()
        if not name or " " in name:
            raise self.fault("a case has a number such as HR.5.4.2")
        first = self.block[0][0]
        self.place = 1
        if self.place == len(self.block) or _word(self._line) != "title" or not self._rest():
            self.place = 0
            raise self.fault("the line after `case` is its title: `title What it shows`")
        title = self._rest()
        self.place = 2
        translations: dict[str, str] = {}
        while self.place < len(self.block) and _word(self._line).startswith("title-"):
            language = _word(self._line).removeprefix("title-")
            if language not in LANGUAGES or language in translations or not self._rest():
                raise self.fault("a title in another language: `title-de Was er zeigt`, once")
            translations[language] = self._rest()
            self.place += 1
        position: dict[str, str | Sequence[str]] = {}
        lines: list[Line] = []
        while self.place < len(self.block):
            if _word(self._line) in ("do", "refuse", "expect"):
                lines.append(self._action())
            elif lines:
                raise self.fault("the table is set up before the first do, refuse or expect")
            else:
                number = self.block[self.place][0]
                key, value = self._setting()
                if key in position:
                    raise CaseError(self.source, number, f"`{key}` was said before")
                position[key] = value
        if not lines:
            self.place = 0
            raise self.fault("a case has at least one line with do, refuse or expect")
        return Case(self.source, first, name, title, position, tuple(lines), translations)

    @property
    def _line(self) -> str:
        line = self.block[self.place][1]
        if line[0].isspace():
            raise self.fault("an indented line belongs to a drawing, and here is none")
        return line

    def _rest(self) -> str:
        return self._line.strip().partition(" ")[2].strip()

    def _rows(self) -> tuple[str, ...]:
        rows = []
        while self.place < len(self.block) and self.block[self.place][1][0].isspace():
            row = self.block[self.place][1]
            if not row.startswith(_INDENT):
                raise self.fault("a drawing is indented by two spaces")
            rows.append(row.removeprefix(_INDENT).rstrip())
            self.place += 1
        return tuple(rows)

    def _setting(self) -> tuple[str, str | Sequence[str]]:
        """A key of the position with its value or, below it, its drawing. Two spaces end a key;
        without them it is one word, or a word and a seat before what belongs to it."""
        line = self._line.strip()
        start = self.place
        self.place += 1
        rows = self._rows()
        if rows:
            return " ".join(line.split()), rows
        key, _, value = line.partition("  ")
        if not value:
            words = line.split()
            size = 2 if len(words) > 2 and words[1] in self.game.seats else 1
            key, value = " ".join(words[:size]), " ".join(words[size:])
        if not value:
            self.place = start
            raise self.fault(f"`{key}` needs a value (or {NOTHING!r}), or a drawing below")
        return key, "" if value.strip() == NOTHING else value.strip()

    def _action(self) -> Line:
        number, verb, text = self.block[self.place][0], _word(self._line), self._rest()
        if verb == "expect":
            self.place += 1
            rows = self._rows()
            at = "0"
            if rows and self.place < len(self.block) and _word(self._line) == "at":
                at = self._rest()
                self.place += 1
            if not text:
                self.place -= 1
                raise self.fault("`expect` says what")
            return Line(number, verb, " ".join(text.split()), rows=rows, at=at)
        seat, colon, text = text.partition(":")
        seat = seat.strip()
        if not colon or seat not in (*self.game.seats, NO_SEAT):
            seats = " or ".join(self.game.seats)
            raise self.fault(f"`{verb}` names the seat ({seats}) before a colon")
        refusal = ""
        if verb == "refuse":
            text, sign, refusal = text.rpartition("=")
            if not sign or not refusal.split():
                raise self.fault("`refuse` ends with = and the refusal's code and clause")
        self.place += 1
        return Line(number, verb, text.strip(), seat, " ".join(refusal.split()))


def _word(line: str) -> str:
    return line.split(maxsplit=1)[0]


# -- Running ---------------------------------------------------------------------------------


def run_case(game: AnyGame, deck: Deck, case: Case) -> Failure | None:
    """The first thing that is not as the case says, if there is one."""
    try:
        match = Match.from_position(game, deck, None, case.position)
    except GameError as error:
        return Failure(case, case.line, "a table that can be set up", _refused(error))
    for line in case.lines:
        try:
            expected, got = _ACTIONS[line.verb](match, line)
        except GameError as error:
            expected, got = f"{line.verb} {line.text}", _refused(error)
        except _UnansweredError as error:
            expected, got = f"{line.verb} {line.text}", str(error)
        if expected != got:
            return Failure(case, line.number, expected, got, match)
    return None


class _UnansweredError(Exception):
    """The game's views hold nothing of the kind."""


def carry_out(match: Match, line: Line) -> None:
    """Play the move of a `do` or `refuse`."""
    if line.seat == NO_SEAT:
        match.enter(line.text, None)
    else:
        match.submit(_seat(match, line.seat), line.text)


def _do(match: Match, line: Line) -> tuple[str, str]:
    carry_out(match, line)
    return "", ""


def _refuse(match: Match, line: Line) -> tuple[str, str]:
    try:
        carry_out(match, line)
    except GameError as error:
        return line.refusal, f"{error.code} {error.clause}".strip()
    return line.refusal, "no refusal, it was played"


def _expect(match: Match, line: Line) -> tuple[str, str]:
    """What is expected and what is so, in words that are equal if they agree."""
    if isinstance(match.game, AnswersCases):
        truth = match.game.answer_case(match, line.text)
        if truth is not None:
            return line.text, truth
    question, _, answer = line.text.partition(" ")
    if question == "view":
        who, _, rest = answer.partition(" ")
        asked, colon, wanted = rest.partition(":")
        if not colon:
            raise _UnansweredError("`expect view` has a colon before what is shown")
        viewer = _viewer(match, who)
        return _look(match, viewer, [*asked.split(), *wanted.split()], line)
    if question == "tells":
        who, _, wanted = answer.partition(":")
        told = match.happenings[-1].text_for(_viewer(match, who.strip()))
        return wanted.strip(), told or NOTHING
    if question in ("legal", "illegal"):
        legal = _moves(match)
        wanted = match.game.format_move(match.deck, match.game.parse_move(match.deck, answer))
        return question, "legal" if wanted in legal else "illegal"
    if question == "moves":
        return answer, str(len(_moves(match)))
    if question == "turn":
        return answer, " ".join(match.game.seats[seat] for seat in sorted(match.to_act)) or NOTHING
    if question == "over":
        return answer, _winner(match)
    return _look(match, OPEN, line.text.split(), line)


_ACTIONS: Final = {"do": _do, "refuse": _refuse, "expect": _expect}


def _look(match: Match, viewer: Viewer, words: Sequence[str], line: Line) -> tuple[str, str]:
    """Compare what `view_data` holds with the words after its name."""
    data = match.game.view_data(match.view(viewer))
    key, *wanted = words
    if key == "at" and wanted:
        return " ".join(wanted[1:]), _on_square(data, wanted[0])
    # A heap of each seat is found under its name or its plural.
    node: Any = data.get(key, data.get(f"{key}s"))
    if line.rows:
        return _drawing(_drawn(line)), _drawing(_cubicles(node))
    if isinstance(node, Mapping) and wanted and wanted[0] in node:
        node = node[wanted.pop(0)]
    wanted = [] if wanted == [NOTHING] else wanted
    if isinstance(node, Mapping) and "count" in node:
        # A pile is asked how many cards it has, or which they are from the top.
        if len(wanted) == 1 and wanted[0].isdigit():
            return wanted[0], str(node["count"])
        return " ".join(wanted) or NOTHING, " ".join(node["known"]) or NOTHING
    if isinstance(node, Sequence) and not isinstance(node, str):
        return " ".join(sorted(wanted)) or NOTHING, " ".join(sorted(map(str, node))) or NOTHING
    if node is None or isinstance(node, Mapping):
        raise _UnansweredError(f"a view shows no {' '.join(words[:2])!r}")
    return " ".join(wanted), str(node)


def _on_square(data: Mapping[str, Any], square: str) -> str:
    for board in data.values():
        for item in board if isinstance(board, list) else ():
            if isinstance(item, Mapping) and item.get("square") == square:
                return str(item.get("face", item.get("colour")))
    return NOTHING


Drawn = dict[tuple[int, int], str]


def _drawn(line: Line) -> Drawn:
    left, top = parse_square(line.at)
    return {
        (left + x, top + y): letter
        for y, row in enumerate(line.rows)
        for x, letter in enumerate(row)
        if letter != "."
    }


def _cubicles(board: object) -> Drawn:
    if not isinstance(board, list):
        raise _UnansweredError("a view shows no such board")
    return {parse_square(item["square"]): item["colour"][0].upper() for item in board}


def _drawing(drawn: Drawn) -> str:
    """A board in one line: rows from north to south, and where its top left square is."""
    left, right = min(x for x, _ in drawn), max(x for x, _ in drawn)
    top, bottom = min(y for _, y in drawn), max(y for _, y in drawn)
    rows = [
        "".join(drawn.get((x, y), ".") for x in range(left, right + 1))
        for y in range(top, bottom + 1)
    ]
    return f"{' / '.join(rows)} at {format_square((left, top))}"


def _moves(match: Match) -> list[str]:
    game = match.game
    return [
        game.format_move(match.deck, move)
        for seat in sorted(match.to_act)
        for move in game.moves(match.view(seat))
    ]


def _winner(match: Match) -> str:
    if match.outcome is None:
        return "not over"
    return " ".join(match.game.seats[seat] for seat in match.outcome.winners) or "draw"


def _seat(match: Match, code: str) -> Seat:
    return Seat(match.game.seats.index(code))


def _viewer(match: Match, code: str) -> Viewer:
    if code in match.game.seats:
        return _seat(match, code)
    if code not in SPECTATOR:
        raise _UnansweredError(f"there is no viewer {code!r}")
    return None


def _refused(error: GameError) -> str:
    return f"refused: {error.code} {error.clause} ({error.reason})".replace("  ", " ")
