"""A match in your hand: what `import openplan` offers to whoever writes programs.

    >>> import openplan
    >>> match = openplan.new_match("human-resources", seed=7)
    >>> match.turn
    'B'
    >>> match.legal_moves
    <LegalMoves: place M02d N1, place M02d W1, place M02d W1S1, ... 36 in all>
    >>> match.push_text("place M02d N1")
    >>> match.turn, "place M02d N1" in match.legal_moves
    ('A', False)

Two ways to go on, told apart by name. The checked way (`push_text`, `legal_moves`, `view`,
`record`) is the one the site plays by: every move is judged, written down and told to each seat as
far as it may know. The trusting way (`fast`) has packed moves and no objects: hundreds of
thousands of decisions a second.

    >>> from random import Random
    >>> table, rng = match.fast(), Random(8)
    >>> while not table.is_over:
    ...     table.push(rng.choice(table.moves()))
    >>> table.points
    (4, 0)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, overload

from openplan.bots import bot_named
from openplan.core.deal import seeded
from openplan.core.fast import FastTable
from openplan.core.game import OPEN, AnyGame, Outcome, Over, Seat, Unreadable, Viewer
from openplan.core.match import Match
from openplan.core.record import read_record, write_record
from openplan.core.registry import all_games, game_named
from openplan.core.sentences import refused
from openplan.decks import find_deck, load_deck
from openplan.render.text import draw_scene


def games() -> list[str]:
    """The names of the games there are."""
    return sorted(all_games())


def new_match(
    game: str, *, seed: object = None, deck: str = "", house: Mapping[str, str] | None = None
) -> OpenMatch:
    """A new match. With a seed the same cards are dealt each time; `deck` is a name or a file,
    `house` the options of the match (`openplan rules GAME` lists them)."""
    found = game_named(game)
    secret = "" if seed is None else seeded(seed)
    return OpenMatch(Match.start(found, load_deck(found, deck), house, secret=secret))


def read_match(record: str) -> OpenMatch:
    """The match of a record, every entry judged again."""
    return OpenMatch(read_record(record, game_named, find_deck))


class OpenMatch:
    """A match with all cards open to whoever holds it; `view` is what one seat may know."""

    def __init__(self, match: Match) -> None:
        self.kept = match
        """With the log, and all that the site does with a match."""

    # -- How it stands -----------------------------------------------------------------------

    @property
    def game(self) -> AnyGame:
        return self.kept.game

    @property
    def seats(self) -> tuple[str, ...]:
        return self.game.seats

    @property
    def turn(self) -> str | None:
        """The seat that is waited for, the first of several; nobody once it is over."""
        waited = self.kept.awaited or self.kept.to_act
        return self.seats[min(waited)] if waited else None

    @property
    def ply(self) -> int:
        return self.kept.ply

    @property
    def outcome(self) -> Outcome | None:
        return self.kept.outcome

    @property
    def is_over(self) -> bool:
        return self.kept.outcome is not None

    @property
    def legal_moves(self) -> LegalMoves:
        """Of the seat whose turn it is, as texts. It follows the match: what was legal a move ago
        is not kept."""
        return LegalMoves(self.kept)

    # -- Going on ----------------------------------------------------------------------------

    def push_text(self, text: str, seat: str | None = None) -> None:
        """A move in the notation, by the seat whose turn it is or by another that may move. A
        `GameError` says why it is refused; then nothing has changed."""
        self.kept.submit(self._seat(self.turn if seat is None else seat), text)

    def push_random(self, rng: Random) -> str:
        """Any move, drawn step by step; also where whole moves are too many to list."""
        return self.push_bot("random", rng)

    def push_bot(self, name: str, rng: Random) -> str:
        """The move that a bot chooses, who knows what its seat may know; its text."""
        seat = self._seat(self.turn)
        view = self.kept.view(seat)
        move = bot_named(name).choose(self.game, view, rng)
        text = self.game.format_move(self.kept.deck, move)
        self.kept.submit(seat, text)
        return text

    def fast(self) -> FastTable:
        """The same table from here on in the trusting way; this match stays as it is."""
        return self.game.fast(self.kept.state)

    # -- What can be known -------------------------------------------------------------------

    def view(self, seat: str | None = None) -> dict[str, object]:
        """What a seat may know, as plain data; without a seat, what a spectator may."""
        return self.game.view_data(self.kept.view(self._viewer(seat)))

    def board(self, seat: str | None = None, width: int = 80) -> str:
        """The same as a drawing in characters."""
        return draw_scene(self.game.scene(self.kept.view(self._viewer(seat))), width)

    def record(self, seat: str | None = None) -> str:
        """Everything from the deal on, to be kept and read again; with a seat, as that seat was
        told it."""
        return write_record(self.kept, OPEN if seat is None else self._seat(seat))

    def __str__(self) -> str:
        return draw_scene(self.game.scene(self.kept.view(OPEN)))

    def __repr__(self) -> str:
        return f"<{self.game.title}, entry {self.ply}>\n{self}"

    def _viewer(self, seat: str | None) -> Viewer:
        return None if seat is None else self._seat(seat)

    def _seat(self, code: str | None) -> Seat:
        if code is None:
            raise refused(Over, "over")
        if code not in self.seats:
            known = ", ".join(self.seats)
            reason = f"{self.game.title} has no seat {code[:40]!r}; there are: {known}"
            raise Unreadable("no-seat", reason)
        return Seat(self.seats.index(code))


class LegalMoves(Sequence[str]):
    """The moves of the seat whose turn it is, listed when they are asked for. Where whole moves are
    too many (Cube Farm's orders) these are the moves that consist of one part."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._at = -1
        self._found: list[str] = []

    def _listed(self) -> list[str]:
        match, game = self._match, self._match.game
        if self._at != match.ply:
            waited = match.awaited or match.to_act
            moves: list[Any] = []
            if waited:
                view = match.view(min(waited))
                parts = [game.moves_of_part(view, part) for part in game.parts]
                moves = [move for part in parts for move in part] if parts else game.moves(view)
            self._found = [game.format_move(match.deck, move) for move in moves]
            self._at = match.ply
        return self._found

    def __len__(self) -> int:
        return len(self._listed())

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed())

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        return self._listed()[place]

    def __contains__(self, text: object) -> bool:
        """Whether it would be accepted, also where it is too long to be in the list."""
        match = self._match
        waited = match.awaited or match.to_act
        if not isinstance(text, str) or not waited:
            return False
        try:
            move = match.game.parse_move(match.deck, text)
        except Unreadable:
            return False
        return match.game.why_not(match.view(min(waited)), move) is None

    def __repr__(self) -> str:
        found = self._listed()
        more = f", ... {len(found)} in all" if len(found) > 3 else ""
        return f"<LegalMoves: {', '.join(found[:3])}{more}>"
