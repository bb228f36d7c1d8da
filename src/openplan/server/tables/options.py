"""How a table is played: one struct, checked once, stored as one text, decoded once.

A new option is a field of `TableOptions` with a default: the request that makes a table takes it,
the row keeps it, a rematch copies it, the table's view model and `/api/games` tell it. If it is a
simple one (`PLAY` or `OPEN` says in which part of the form it stands), the form and the lobby show
it by the words `option.<name>`.

Tables that were made before there was a column for this have their options in columns of their own.
Programs of the release before may still be running and know only those, so they are written too,
for the options that had one; a new option has none.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from openplan.bots import BOTS
from openplan.core.game import AnyGame, Illegal
from openplan.core.match import complete_house
from openplan.core.names import MAX_NAME
from openplan.core.registry import game_named
from openplan.core.sentences import LANGUAGES
from openplan.server.people.names import chosen_name
from openplan.server.refusals import refused
from openplan.server.store import Tx, Value, rows
from openplan.server.tables.schedule import Schedule, checked_schedule

# -- The parts -------------------------------------------------------------------------------

Points = Annotated[int, Meta(ge=0, le=10_000)]
Percent = Annotated[int, Meta(ge=0, le=100)]


USUAL_LEAST: Final = 48
"""Hours: who sends orders in the last minute must not find the next turn over in the same."""


class ClockRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`live`: `bank` and `increment` in seconds. `days`: so many days for a move. `schedule`: turns
    end at a `time` of day (18:00) in a `zone` (Europe/Berlin) on these `weekdays` (mon, tue...),
    after `least` (0: the usual 48) and at `most` so many hours (0: no limit). Then there are
    `grace` hours, and deadlines move for absences by up to `vacation` days."""

    kind: Literal["none", "live", "days", "schedule"] = "none"
    bank: int = 0
    increment: int = 0
    days: int = 0
    time: str = ""
    zone: str = ""
    weekdays: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    grace: int = 0
    vacation: int = 14

    @property
    def shortest(self) -> int:
        """The hours that a turn has at least. None chosen is never none at all."""
        usual = min(USUAL_LEAST, self.most - 1 if self.most else USUAL_LEAST)
        return self.least or max(1, usual)

    @property
    def schedule(self) -> Schedule | None:
        if self.kind != "schedule":
            return None
        return checked_schedule(self.time, self.zone, self.weekdays)


class EntryRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table asks of whoever sits down. Nought and no ask nothing."""

    members: bool = False
    reliable: Percent = 0
    """So many of a hundred moves in time, of whoever has made any."""
    rating_from: Points = 0
    rating_to: Points = 0


class AbsenceRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens to a seat whose time and grace are over. `wait`: nothing for 30 days; `bot`: one
    plays on until the owner comes back; `standby`: somebody else may take the seat; `adjudicate`:
    the turn is carried out without it; `resign`: its time has run out. With none named, the game
    decides: sealed orders are adjudicated, else the seat resigns."""

    policy: Literal["", "wait", "bot", "standby", "adjudicate", "resign"] = ""
    bot: str = ""


class PressRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`none`: seats do not write to each other; `signed`; `all`: signed or grey. `postal`: it comes
    with the turn's report."""

    rule: Literal["none", "signed", "all"] = "signed"
    postal: bool = False


# -- The whole -------------------------------------------------------------------------------

PLAY: Final = Meta(extra={"group": "play"})
"""A simple option of how it is played; the lobby names it where it is on."""
OPEN: Final = Meta(extra={"group": "open"})
"""A simple option of who may come, and when it begins."""


class TableOptions(msgspec.Struct, frozen=True, kw_only=True):
    house: dict[str, str] = msgspec.field(default_factory=dict)
    """The game's own house rules."""
    clock: ClockRule = ClockRule()
    public: Annotated[bool, OPEN] = False
    starts_when_full: Annotated[bool, OPEN] = True
    closed_after: Annotated[bool, OPEN] = False
    """A match against bots is kept to its player when it is over; else its address opens it."""
    hot_seat: bool = False
    """You may hold several seats, for people who hand one device round."""
    hints: Annotated[bool, PLAY] = False
    """Whoever is to act may ask for a hint."""
    take_back: Annotated[Literal["strict", "friendly"], PLAY] = "strict"
    """Friendly: with everybody's consent more can be taken back than the rules allow."""
    early: Annotated[Literal["ready", "deadline"], PLAY] = "ready"
    """Sealed orders are carried out as soon as all are ready, or only at the deadline."""
    rated: Annotated[bool, PLAY] = False
    """It counts for ratings, and refuses what does not count."""
    anonymous: Annotated[bool, PLAY] = False
    """Who plays is not told before the match is over: people are called as their seats are."""
    entry: EntryRules = EntryRules()
    """What is asked of whoever sits down."""
    absence: AbsenceRule = AbsenceRule()
    press: PressRule = PressRule()
    name: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    """What the table is called in lists."""
    language: Annotated[str, Meta(max_length=8)] = ""
    """In which language people write there (en, de); for those who look for a table."""


def checked(options: TableOptions, game: AnyGame) -> TableOptions:
    """Options as they are stored: these only, with everything said that they leave open. `Illegal`
    names what makes no sense at a table of this game."""
    if 0 < options.entry.rating_to < options.entry.rating_from:
        raise refused(Illegal, "entry")
    own = {name: getattr(options, name) for name in TableOptions.__struct_fields__}
    if options.anonymous and options.hot_seat:
        raise refused(Illegal, "anonymous")
    own["clock"] = checked_clock(options.clock, game)
    if options.early == "deadline" and (
        not game.sealed or options.clock.kind not in ("days", "schedule")
    ):
        raise refused(Illegal, "early")
    own["name"] = chosen_name(options.name) if options.name.strip() else ""
    if options.language not in ("", *LANGUAGES):
        raise refused(Illegal, "language", "table-language", known=", ".join(LANGUAGES))
    own["house"] = complete_house(game, options.house)
    own["absence"] = checked_absence(options.absence, options.clock, game)
    return TableOptions(**own)


def checked_clock(rule: ClockRule, game: AnyGame) -> ClockRule:
    plain = ClockRule(rule.kind, vacation=rule.vacation)
    own = {
        "none": {"vacation": 14},
        "live": {"bank": rule.bank, "increment": rule.increment, "vacation": 14},
        "days": {"days": rule.days, "grace": rule.grace},
        "schedule": {
            name: getattr(rule, name)
            for name in ("time", "zone", "weekdays", "least", "most", "grace")
        },
    }
    if rule != msgspec.structs.replace(plain, **own[rule.kind]):
        raise refused(Illegal, "clock", "clock-settings", kind=rule.kind)
    if rule.kind == "live" and not (10 <= rule.bank <= 86_400 and 0 <= rule.increment <= 3_600):
        raise refused(Illegal, "clock", "clock-live")
    if rule.kind == "days" and not 1 <= rule.days <= 60:
        raise refused(Illegal, "clock", "clock-days")
    if not (0 <= rule.grace <= 30 * 24 and 0 <= rule.vacation <= 60):
        raise refused(Illegal, "clock", "clock-grace")
    if rule.kind == "schedule":
        checked_schedule(rule.time, rule.zone, rule.weekdays)
        # An hour at most would leave nothing for the least.
        longest = rule.most or 1440
        if not (0 <= rule.least <= 28 * 24 and max(1, rule.least) < longest <= 1440):
            raise refused(Illegal, "clock", "clock-length")
        rule = msgspec.structs.replace(rule, least=rule.shortest)
    if rule.kind == "live" and game.sealed:
        # A bank that stops would tell that its owner's sealed order is there.
        raise refused(Illegal, "clock", "clock-sealed", title=game.title)
    return rule


def checked_absence(rule: AbsenceRule, clock: ClockRule, game: AnyGame) -> AbsenceRule:
    """The rule with everything said that it leaves open."""
    policy = rule.policy or ("adjudicate" if game.sealed else "resign")
    if policy == "adjudicate" and not game.sealed:
        raise refused(Illegal, "absence", "absence-sealed", title=game.title)
    if clock.kind == "live" and policy != "resign":
        raise refused(Illegal, "absence", "absence-live")
    if rule.bot and (policy != "bot" or rule.bot not in BOTS):
        raise refused(Illegal, "absence", "absence-bot", known=", ".join(BOTS))
    return AbsenceRule(policy, (rule.bot or "clerk") if policy == "bot" else "")


# -- In the store ----------------------------------------------------------------------------

# Made once, when this is loaded: msgspec 0.22 crashes if several threads are the first to read a
# type. The same holds for every reader of stored JSON.
_OPTIONS: Final = msgspec.json.Decoder(TableOptions)
_CLOCKS: Final = msgspec.json.Decoder(ClockRule)
_ENTRIES: Final = msgspec.json.Decoder(EntryRules)
_ABSENCES: Final = msgspec.json.Decoder(AbsenceRule)
_PRESSES: Final = msgspec.json.Decoder(PressRule)


def options_of(tx: Tx, table: str, text: str | None) -> TableOptions:
    """The options of a row of `tables`, from its id and its `options`."""
    return _before(tx, table) if text is None else _decoded(text)


@lru_cache(maxsize=2000)
def _decoded(text: str) -> TableOptions:
    return _OPTIONS.decode(text)


def columns(options: TableOptions) -> dict[str, Value]:
    """The columns of `tables` that keep the options. But for the first and for `is_public`, by
    which tables are listed, they are for programs of the release before."""
    return {
        "options": _text(options),
        "is_public": int(options.public),
        "house": _text(options.house),
        "clock": _text(options.clock),
        "rated": int(options.rated),
        "hot_seat": int(options.hot_seat),
        "hints": int(options.hints),
        "take_back": options.take_back,
        "entry": _text(options.entry),
        "absence": _text(options.absence),
        "press": _text(options.press),
    }


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


class OldOptions(msgspec.Struct, frozen=True, gc=False):
    """Of `tables`, as the release before has them."""

    game: str
    house: str
    clock: str
    is_public: int
    rated: int
    hot_seat: int
    hints: int
    take_back: Literal["", "strict", "friendly"]
    entry: str
    absence: str
    press: str
    offers: str


def _before(tx: Tx, table: str) -> TableOptions:
    """The options of a table that a program of the release before has made. That it does not start
    by itself stands there as an offer that nobody has made."""
    select = f"SELECT {rows.columns(OldOptions)} FROM tables WHERE id = ?"  # noqa: S608
    (row,) = tx.rows(OldOptions, select, table)
    clock = _CLOCKS.decode(row.clock)
    return TableOptions(
        house=json.loads(row.house),
        clock=clock,
        public=bool(row.is_public),
        starts_when_full="start" not in json.loads(row.offers),
        hot_seat=bool(row.hot_seat),
        hints=bool(row.hints),
        take_back=row.take_back or "strict",
        rated=bool(row.rated),
        entry=_ENTRIES.decode(row.entry),
        absence=checked_absence(_ABSENCES.decode(row.absence), clock, game_named(row.game)),
        press=_PRESSES.decode(row.press),
    )


# -- Described -------------------------------------------------------------------------------


class SimpleOption(msgspec.Struct, frozen=True):
    """An option that is on or off; `on` and `off` are its values for that."""

    name: str
    group: str
    """`play` or `open`: the part of the form in which it stands."""
    off: bool | str
    on: bool | str
    default: bool | str


def _described() -> tuple[SimpleOption, ...]:
    found = []
    kind = msgspec.inspect.type_info(TableOptions)
    assert isinstance(kind, msgspec.inspect.StructType)
    for field in kind.fields:
        if isinstance(field.type, msgspec.inspect.Metadata) and field.type.extra is not None:
            group, inner = field.type.extra["group"], field.type.type
            off: Any = False
            on: Any = True
            if isinstance(inner, msgspec.inspect.LiteralType):
                off, (on,) = field.default, {*inner.values} - {field.default}
            found.append(SimpleOption(field.name, group, off, on, field.default))
    return tuple(found)


SIMPLE: Final = _described()


def shown_in_lobby(options: TableOptions) -> list[str]:
    """The simple options of how it is played that are on here."""
    return [
        option.name
        for option in SIMPLE
        if option.group == "play" and getattr(options, option.name) == option.on
    ]
