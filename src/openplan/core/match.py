"""A match: a header, a log, and the table they lead to. The only way a game advances.

The table is what the entries of the log lead to that are in force (`log.py`). Every entry has a
form for each viewer and may be absent for some: a sealed order is told to nobody else. So each
viewer has a log of its own, with numbers of its own, and that is all that reaches it. A match
rebuilt from such a viewer's log holds the table as that viewer knows it, and only reads.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final, NamedTuple

from openplan.core.deal import (
    ADDED_NOTHING,
    SECRET_BYTES,
    Chance,
    Deal,
    chance_lines,
    new_secret,
    salted,
    seal,
)
from openplan.core.deck import Deck
from openplan.core.game import (
    OPEN,
    AnyGame,
    Event,
    GameError,
    Happening,
    Illegal,
    NotYourTurn,
    Outcome,
    Over,
    Position,
    Seat,
    Stale,
    Unreadable,
    Viewer,
)
from openplan.core.log import KINDS, OF_A_SEAT, WITH_TEXT, Entry, Line, Log, from_last
from openplan.core.names import checked_name
from openplan.core.sentences import LANGUAGES, refused

# These change the table. The others say which of them are in force, or stop the clock.
_ON_THE_TABLE: Final = frozenset({"move", "adjudicate", "deadline", "flag", "resign", "draw"})
# A pause stops clocks and moves. What people agree on, or the game master puts right, goes on.
_WHILE_PAUSED: Final = frozenset({"resume", "seat", "resign", "draw", "roll-back"})


_KEPT_EVERY: Final = 16
"""Of the entries that are carried out to go back, so many lie between the tables that are kept."""


class _KeptTable(NamedTuple):
    """A table that was met on the way back."""

    state: bytes
    withdrawn: frozenset[Seat]


class _Known:
    """What was made of the table since the last entry: asked for often, and changed by entries
    only."""

    __slots__ = ("awaited", "outcome", "to_act")

    def __init__(self, outcome: Outcome | None) -> None:
        self.outcome = outcome
        self.to_act: frozenset[Seat] | None = None
        self.awaited: frozenset[Seat] | None = None


@dataclass(slots=True)
class _Table:
    state: Any
    decided: Outcome | None = None
    """An outcome from outside the game's own course: by resigning, by the clock, by agreement."""
    withdrawn: set[Seat] = field(default_factory=set)


class Match:
    """Begun by `start`, `from_deal` or `from_position`; goes on by `submit` and `enter`."""

    def __init__(
        self,
        game: AnyGame,
        deck: Deck,
        house: Mapping[str, str] | None,
        *,
        deal: Deal | None = None,
        position: Position | None = None,
        salt: str = "",
        added: Sequence[str] | None = None,
        commitment: str = "",
        names: Sequence[str] | None = None,
        viewer: Viewer = OPEN,
        rules: int | None = None,
    ) -> None:
        self.game = game
        self.deck = deck
        self.rules = game.rules_version if rules is None else rules
        self.house = complete_house(game, house or {}, self.rules)
        self.deal = deal
        self.position = position
        self.salt = salt
        self.added = None if added is None else tuple(added)
        self.commitment = commitment
        self.viewer = viewer
        names = game.seats if names is None else names
        if len(names) != len(game.seats):
            raise Illegal("names", f"{game.title} has {len(game.seats)} seats, not {len(names)}")
        self.first_names = tuple(checked_name(name) for name in names)
        self.names = list(self.first_names)
        self.paused = False
        self._log = Log(viewer, [OPEN, None, *map(Seat, range(len(game.seats)))])
        self._table = self._first_table()
        self._known: _Known | None = None
        self._views: dict[Viewer, Any] = {}
        """Each as it is until its viewer is told of something: whoever is told of nothing waits for
        nothing to be drawn up, and cannot tell by that."""

    # -- Beginnings --------------------------------------------------------------------------

    @classmethod
    def start(
        cls,
        game: AnyGame,
        deck: Deck,
        house: Mapping[str, str] | None = None,
        *,
        secret: str = "",
        added: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
        rules: int | None = None,
    ) -> Match:
        """A new match, dealt from a secret that was sealed before, and from what each seat added to
        it. Without a secret a new one is drawn. Tests and simulations pass a seeded one."""
        house = complete_house(game, house or {}, rules)
        secret = secret or new_secret()
        added = (ADDED_NOTHING,) * len(game.seats) if added is None else added
        _check_chance(game, secret, added)
        deal = game.deal(deck, house, Chance(chance_lines(secret, game.seats, added)))
        return cls.from_deal(game, deck, house, deal, secret, added=added, names=names, rules=rules)

    @classmethod
    def from_deal(
        cls,
        game: AnyGame,
        deck: Deck,
        house: Mapping[str, str] | None,
        deal: Deal,
        salt: str,
        *,
        added: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
        viewer: Viewer = OPEN,
        commitment: str | None = None,
        rules: int | None = None,
    ) -> Match:
        """The match with a deal that was recorded; it is not drawn again. With `added`, what each
        seat added to chance, `salt` is the server's secret. Without, the match is an older one,
        whose commitment is over salt and deal. With a viewer, `deal` is as told to that viewer, and
        there is nothing to check it with."""
        deal = {label: tuple(cards) for label, cards in deal.items()}
        if viewer == OPEN:
            whole = game.deal_told(deck, deal, OPEN)
            if added is None:
                _check_hexadecimal("salt", salt)
                fitting, what = salted(salt, whole), "the salt and the deal"
            else:
                _check_chance(game, salt, added)
                fitting, what = seal(salt), "the server's chance"
            if commitment not in (None, fitting):
                raise Illegal("commitment", f"the commitment does not fit {what}")
            commitment = fitting
        else:
            _check_hexadecimal("commitment", commitment or "")
            salt = ""
            added = None if added is None else ()
        return cls(
            game,
            deck,
            house,
            deal=deal,
            salt=salt,
            added=added,
            commitment=commitment or "",
            names=names,
            viewer=viewer,
            rules=rules,
        )

    @classmethod
    def from_position(
        cls,
        game: AnyGame,
        deck: Deck,
        house: Mapping[str, str] | None,
        position: Position,
        *,
        names: Sequence[str] | None = None,
        rules: int | None = None,
    ) -> Match:
        """A table set up by hand. It may name house rules, which are then the match's."""
        house = dict(house or {})
        for rule in game.house_rules:
            choice = position.get(rule.name)
            if choice is not None:
                if not isinstance(choice, str) or house.setdefault(rule.name, choice) != choice:
                    raise Illegal("house-rule", f"two choices for the house rule {rule.name!r}")
        table = {
            key: value if isinstance(value, str) else tuple(value)
            for key, value in position.items()
            if key not in house
        }
        return cls(game, deck, house, position=table, names=names, rules=rules)

    @classmethod
    def replay(
        cls,
        game: AnyGame,
        deck: Deck,
        house: Mapping[str, str] | None,
        entries: Iterable[Entry],
        *,
        deal: Deal | None = None,
        position: Position | None = None,
        salt: str = "",
        added: Sequence[str] | None = None,
        commitment: str | None = None,
        names: Sequence[str] | None = None,
        viewer: Viewer = OPEN,
        rules: int | None = None,
    ) -> Match:
        """The match to which a log leads. Every entry must say exactly what the rules make of it,
        facts included; an error's `params["entry"]` is the number of the first that does not."""
        if position is not None:
            match = cls.from_position(game, deck, house, position, names=names, rules=rules)
        elif deal is not None:
            match = cls.from_deal(
                game,
                deck,
                house,
                deal,
                salt,
                added=added,
                names=names,
                viewer=viewer,
                commitment=commitment,
                rules=rules,
            )
        else:
            raise Unreadable("no-deal", "there is neither a deal nor a position to start from")
        for number, entry in enumerate(entries, 1):
            try:
                match.repeat(entry)
            except GameError as error:
                params = {**error.params, "entry": number}
                reason = f"entry {number}: {error.reason}"
                raise type(error)(error.code, reason, error.clause, params) from None
        return match

    def stand(
        self,
        state: Any,
        decided: Outcome | None,
        withdrawn: set[Seat],
        names: Sequence[str],
        *,
        paused: bool,
    ) -> None:
        """Trusts its caller: the table to which the log leads is this."""
        self._table = _Table(state, decided, withdrawn)
        self._known = None
        self._views.clear()
        self.names = list(names)
        self.paused = paused

    def walk(self) -> Iterator[Match]:
        """The match once more from its start, growing by one entry at a time."""
        match = Match(
            self.game,
            self.deck,
            self.house,
            deal=self.deal,
            position=self.position,
            salt=self.salt,
            added=self.added,
            commitment=self.commitment,
            names=self.first_names,
            viewer=self.viewer,
            rules=self.rules,
        )
        yield match
        for entry in self.log:
            match.repeat(entry)
            yield match

    def at(self, ply: int) -> Match:
        """The match as it was after so many entries."""
        if not 0 <= ply <= self.ply:
            raise Unreadable("no-entry", f"the log has entries up to {self.ply}, not {ply}")
        return next(islice(self.walk(), ply, None))

    # -- The table now -----------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self._table.state

    @property
    def log(self) -> list[Entry]:
        return self._log.entries

    @property
    def happenings(self) -> list[Happening]:
        return self._log.happenings

    @property
    def whole_log(self) -> Log:
        """With who was told what, and which entries are in force."""
        return self._log

    @property
    def ply(self) -> int:
        return len(self._log)

    @property
    def outcome(self) -> Outcome | None:
        return (self._known or self._know()).outcome

    def _know(self) -> _Known:
        self._known = _Known(self._table.decided or self.game.outcome(self.state))
        return self._known

    @property
    def decided(self) -> Outcome | None:
        """The outcome if it came from outside the game's own course."""
        return self._table.decided

    @property
    def to_act(self) -> frozenset[Seat]:
        """The seats that may send a move now."""
        known = self._known or self._know()
        if self.paused or known.outcome is not None:
            return frozenset()
        if known.to_act is None:
            known.to_act = self.game.to_act(self.state)
        return known.to_act

    @property
    def awaited(self) -> frozenset[Seat]:
        """Those of them without whose move nothing goes on. If there are none and the match is not
        over, only a deadline takes it further."""
        known = self._known or self._know()
        if self.paused or known.outcome is not None:
            return frozenset()
        if known.awaited is None:
            known.awaited = self.game.awaited(self.state)
        return known.awaited

    @property
    def withdrawn(self) -> frozenset[Seat]:
        """The seats that have resigned or run out of time, while the others play on."""
        return frozenset(self._table.withdrawn)

    def in_force(self, before: int | None = None) -> Iterator[int]:
        """The numbers in the log of the entries that the table stands on, from the last back; or
        stood on `before` an entry."""
        return from_last(self._log.line if before is None else self._log.line_before(before))

    # -- What a viewer gets ------------------------------------------------------------------

    def view(self, viewer: Viewer) -> Any:
        return self._view(self.eyes(viewer))

    def _view(self, eyes: Viewer) -> Any:
        view = self._views.get(eyes)
        if view is None:
            view = self._views[eyes] = self.game.view(self.state, eyes)
        return view

    def told(self, viewer: Viewer, since: int = 0) -> list[tuple[int, Entry]]:
        """The log as this viewer's record has it, numbered from 1; after number `since`."""
        eyes = self.eyes(viewer)
        numbers = enumerate(self._log.told(eyes)[since:], since + 1)
        return [(place, self._log.entry_for(number, eyes)) for place, number in numbers]

    def events_told(self, viewer: Viewer, since: int = 0) -> list[tuple[Event, ...]]:
        """What each of these entries caused, as far as this viewer may know it."""
        eyes = self.eyes(viewer)
        return [
            tuple(event.seen_by(eyes) for event in self.happenings[number - 1].events)
            for number in self._log.told(eyes)[since:]
        ]

    def version(self, viewer: Viewer) -> int:
        """Changes exactly when the viewer's log does, and its view never changes without."""
        return len(self._log.told(self.eyes(viewer)))

    def last_move(self, seat: Seat) -> tuple[int, bool] | None:
        """A seat's last move that is in force, by its number in the seat's record, and whether it
        can be taken back."""
        number = self._log.last_move(seat)
        if number is None:
            return None
        try:
            self._log.line_without(seat, number)
        except Illegal:
            is_free = False
        else:
            is_free = True
        return bisect_right(self._log.told(self.eyes(seat)), number), is_free

    def number_in_log(self, viewer: Viewer, number: int) -> int:
        """Where an entry stands that has this number in the viewer's record."""
        numbers = self._log.told(self.eyes(viewer))
        if not 1 <= number <= len(numbers):
            raise Unreadable("no-entry", f"there is no entry {number}")
        return numbers[number - 1]

    def eyes(self, viewer: Viewer) -> Viewer:
        """With whose eyes the viewer looks: once the match is over, everything is open."""
        if viewer != self.viewer and self.viewer != OPEN:
            raise Illegal("told", "a match from one viewer's record can only show that viewer")
        if viewer is not None and viewer != OPEN:
            self._check_seat(viewer)
        return viewer if self.outcome is None else OPEN

    # -- Going on ----------------------------------------------------------------------------

    def submit(
        self, seat: Seat, text: str, *, version: int | None = None, settles: bool = True
    ) -> Happening:
        """A seat's move, as text, and all that it causes. `version` is that of the view which the
        seat looked at. Sealed moves that are complete stay sealed if it `settles` nothing; then
        `adjudicate` or `deadline` is to be entered later."""
        happening = self._submit(seat, text, version)
        return self._settle(happening) if settles else happening

    def _submit(self, seat: Seat, text: str, version: int | None = None) -> Happening:
        self._check_not_told()
        self._check_seat(seat)
        move = self.game.parse_move(self.deck, text)
        self._check_goes_on("move")
        if version is not None and version != self.version(seat):
            raise refused(Stale, "stale")
        self._check_to_act(seat)
        entry = Entry("move", seat, text)
        self._check_legal(self._view(seat), entry, move)
        return self._add(entry, move)

    def _settle(self, happening: Happening) -> Happening:
        """Where sealed moves were waiting for the last of them, open them all. It is an entry of
        its own and no seat's: whose move came last is nobody else's to know."""
        if self.outcome is not None or self.awaited or not self.to_act:
            return happening
        opened = self._add(Entry("adjudicate", None))
        events = (*happening.events, *opened.events)
        return replace(happening, events=events, reveals=happening.reveals or opened.reveals)

    def enter(
        self, kind: str, seat: Seat | None, text: str = "", *, settles: bool = True
    ) -> Happening:
        """Any entry but a move. `text` is the name for `seat`, and for `take-back` and `roll-back`
        the number in the log of the entry before which the table shall stand again."""
        self._check_not_told()
        happening = self._enter(Entry(kind, seat, text))
        is_last = settles and kind in ("flag", "resign")
        return self._settle(happening) if is_last else happening

    def _enter(self, entry: Entry) -> Happening:
        """Check an entry that is not a move, and add it."""
        kind, seat = entry.kind, entry.seat
        if kind not in KINDS or kind == "move":
            raise Unreadable("kind", f"there is no entry {kind[:40]!r}")
        if (seat is not None) != (kind in OF_A_SEAT):
            who = "a seat's" if kind in OF_A_SEAT else "no seat's"
            raise Unreadable("seat", f"{kind!r} is {who} entry")
        if entry.text and kind not in WITH_TEXT:
            raise Unreadable("text", f"nothing comes after {kind!r}, not {entry.text[:40]!r}")
        self._check_goes_on(kind)
        if seat is not None:
            self._check_seat(seat)
            if kind in ("flag", "resign") and seat in self._table.withdrawn:
                raise refused(Illegal, "withdrawn", seat=self.game.seats[seat])
            if kind == "by-master":
                self._check_to_act(seat)
            if kind == "flag" and seat not in self.awaited:
                raise NotYourTurn("not-your-turn", "no time runs for a seat that is not awaited")
        if kind == "seat":
            entry = replace(entry, text=checked_name(entry.text))
        # Only the keeper of the whole log can know who has sent something.
        if kind == "adjudicate" and self.viewer == OPEN and (self.awaited or not self.to_act):
            raise Illegal("awaited", "not every seat that may move has done so")
        if kind == "resume" and not self.paused:
            raise refused(Illegal, "not-paused")
        if kind in ("take-back", "roll-back"):
            return self._turn_back(entry)
        return self._add(entry)

    def repeat(self, entry: Entry) -> None:
        """One entry of a log once more; it must come out as it is written there. What it caused is
        an entry of the log too, so nothing follows by itself."""
        if entry.kind != "move":
            self._enter(entry)
        elif self.viewer == OPEN:
            self._submit(entry.of_seat(), entry.text)
        else:
            self._repeat_told_move(entry)
        if self.log[-1] != entry:
            raise Illegal("differs", f"it should read {self.log[-1].quoted}")
        if self.viewer != OPEN and self.outcome is not None:
            # Once it is over everything is open, so there is no record for one viewer.
            raise Illegal("finished", "a finished match has no record for one viewer alone")

    def _repeat_told_move(self, entry: Entry) -> None:
        """A move as one viewer was told of it."""
        seat = entry.of_seat()
        self._check_seat(seat)
        self._check_goes_on("move")
        self._check_to_act(seat)
        if seat == self.viewer:
            move = self.game.parse_move(self.deck, entry.text)
            self._check_legal(self._view(seat), entry, move)
        self._add(entry)

    def _add(self, entry: Entry, move: Any = None) -> Happening:
        """Carry out a checked entry and write it down; with its move, if that was read already."""
        # A new name changes nothing on the table, unless the seat stood empty.
        substitutes = entry.kind == "seat" and entry.seat in self._table.withdrawn
        on_the_table = substitutes or entry.kind in _ON_THE_TABLE
        happening = self._carry_out(self._table, entry, move)
        line = Line(self.ply + 1, self._log.line) if on_the_table else self._log.line
        return self._write(entry, happening, line)

    def _write(self, entry: Entry, happening: Happening, line: Line | None) -> Happening:
        self._known = None
        for viewer in [one for one in self._views if happening.text_for(one) is not None]:
            del self._views[viewer]
        self._log.write(entry, happening, line)
        if entry.kind == "seat" and entry.seat is not None:
            self.names[entry.seat] = entry.text
        elif entry.kind in ("pause", "resume"):
            self.paused = entry.kind == "pause"
        return happening

    def _carry_out(self, table: _Table, entry: Entry, move: Any = None) -> Happening:
        """Change the table by an entry known to be right."""
        game, seat, told = self.game, entry.seat, self.viewer != OPEN
        if entry.kind == "move":
            assert seat is not None
            if told:
                move = game.learn(table.state, seat, entry.text, entry.facts)
                # Only now can it be judged, as far as the viewer knows what that takes.
                self._check_legal(game.view(table.state, seat), entry, move)
            elif move is None:
                move = game.parse_move(self.deck, entry.text)
            return game.play(table.state, seat, move)
        if entry.kind in ("adjudicate", "deadline"):
            if told:
                game.learn_deadline(table.state, entry.facts)
            return replace(game.deadline(table.state), text=entry.written)
        if entry.kind in ("flag", "resign"):
            assert seat is not None
            table.decided = game.withdraw(table.state, seat, entry.kind)
            table.withdrawn.add(seat)
        elif entry.kind == "draw":
            table.decided = game.agree_draw(table.state)
        elif entry.kind == "seat" and seat in table.withdrawn:
            game.rejoin(table.state, seat)
            table.withdrawn.discard(seat)
        return Happening(entry.written)

    # -- Going back --------------------------------------------------------------------------

    def _turn_back(self, entry: Entry) -> Happening:
        number = int(entry.text) if re.fullmatch(r"[1-9][0-9]{0,5}", entry.text) else 0
        if not 1 <= number <= self.ply:
            raise Unreadable("no-entry", f"there is no entry {entry.text[:40]!r} to go back to")
        if entry.kind == "take-back":
            line = self._log.line_without(entry.of_seat(), number)
        else:
            line = self._log.line_before(number)
        reversal = self._log.reversal(entry, number, line)
        if self.viewer not in reversal.numbers:
            raise refused(Illegal, "no-change", number=number)
        self._table = self._table_after(line)
        return self._write(entry, reversal, line)

    def _table_after(self, line: Line | None) -> _Table:
        """As the entries of this chain have made it. Tables on the way are kept, each by its link:
        however often somebody goes back, and to wherever, little is played anew each time."""
        ahead: list[Line] = []
        while line is not None and line.table is None:
            ahead.append(line)
            line = line.before
        if line is None:
            table = self._first_table()
        else:
            kept: _KeptTable = line.table
            table = _Table(self.game.load(self.deck, kept.state), None, set(kept.withdrawn))
        for link in reversed(ahead):
            self._carry_out(table, self.log[link.number - 1])
            is_last = link is ahead[0]
            if (is_last or not link.length % _KEPT_EVERY) and self._can_keep(table):
                state_then = self.game.dump(table.state)
                link.table = _KeptTable(state_then, frozenset(table.withdrawn))
        return table

    def _can_keep(self, table: _Table) -> bool:
        """Nothing follows on a table that was decided, and only a whole one can be written down."""
        return table.decided is None and self.viewer == OPEN

    def _first_table(self) -> _Table:
        if self.position is not None:
            return _Table(self.game.set_up(self.deck, self.house, self.position))
        assert self.deal is not None
        return _Table(self.game.start(self.deck, self.house, self.deal))

    # -- Checks ------------------------------------------------------------------------------

    def _check_not_told(self) -> None:
        if self.viewer != OPEN:
            raise Illegal("told", "a match from one viewer's record cannot go on")

    def _check_seat(self, seat: Seat) -> None:
        if not 0 <= seat < len(self.game.seats):
            raise Unreadable("no-seat", f"{self.game.title} has no seat number {seat}")

    def _check_goes_on(self, kind: str) -> None:
        if self.outcome is not None:
            raise refused(Over, "over")
        if self.paused and kind not in _WHILE_PAUSED:
            raise refused(Illegal, "paused")

    def _check_to_act(self, seat: Seat) -> None:
        if seat not in self.to_act:
            raise refused(NotYourTurn, "not-your-turn")

    def _check_legal(self, view: Any, entry: Entry, move: Any) -> None:
        refusal = self.game.why_not(view, move)
        if refusal is not None:
            seat = entry.of_seat()
            sentence = self.game.say(refusal.code, refusal.params).rstrip(".")
            # The ply is the seat's own: the log's would count the sealed orders of others.
            ply = len(self._log.told(seat))
            reason = f"{sentence}: {entry.text[:100]!r} at ply {ply}"
            told = {
                language: self.game.say(refusal.code, refusal.params, language)
                for language in LANGUAGES[1:]
            }
            raise Illegal(refusal.code, reason, refusal.clause, refusal.params, told)


def complete_house(
    game: AnyGame, house: Mapping[str, str], rules: int | None = None
) -> dict[str, str]:
    """Every house rule of the game with its choice, in the game's order. What a match's rules do
    not know yet has its default."""
    if rules is not None and not game.oldest_rules <= rules <= game.rules_version:
        raise Illegal("rules", f"rules {rules} of {game.title} are not known here")
    if unknown := [name for name in house if name not in {rule.name for rule in game.house_rules}]:
        raise Illegal("house-rule", f"{game.title} has no house rule {unknown[0][:40]!r}")
    for rule in game.house_rules:
        choice = house.get(rule.name, rule.choices[0])
        if rules is not None and rule.since > rules and choice != rule.choices[0]:
            raise Illegal("house-rule", f"rules {rules} have no {rule.name}={choice}", rule.clause)
        if choice not in rule.choices:
            choices = ", ".join(rule.choices)
            reason = f"the house rule {rule.name!r} is one of {choices}, not {choice[:40]!r}"
            raise Illegal("house-rule", reason, rule.clause)
    return {rule.name: house.get(rule.name, rule.choices[0]) for rule in game.house_rules}


def _check_chance(game: AnyGame, secret: str, added: Sequence[str]) -> None:
    _check_hexadecimal("server's chance", secret)
    if len(added) != len(game.seats):
        raise Illegal("chance", f"{game.title} has {len(game.seats)} seats, not {len(added)}")
    for bytes_ in added:
        if bytes_ != ADDED_NOTHING:
            _check_hexadecimal("chance", bytes_)


def _check_hexadecimal(what: str, text: str) -> None:
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}", text):
        raise Unreadable(what, f"the {what} must be {2 * SECRET_BYTES} of the digits 0-9 and a-f")
