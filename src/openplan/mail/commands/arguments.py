"""What may follow the word of a command, read from a line in small letters and single spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Final, NoReturn

from openplan.core.registry import all_games, game_named
from openplan.mail.sentences import unreadable


@dataclass(frozen=True, slots=True)
class Opening:
    """What table somebody wishes to open."""

    game: str
    days: int
    """For each turn."""
    time: str = ""
    """The time of day at which turns end, in the zone of whoever opens it; or when the days are
    over, whatever time that is."""
    is_public: bool = False
    leads: bool = False
    """Whoever opens it has no seat there and is its game master."""
    wishes: tuple[str, ...] = ()
    """What else is wished for, as it was written: options of the table, which the server knows."""


@dataclass(frozen=True, slots=True)
class Recipients:
    """To whom a press goes: seats by their codes, everybody, the game master."""

    seats: tuple[str, ...] = ()
    to_all: bool = False
    to_master: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """What a command says besides its name; each uses what it needs."""

    table: str = ""
    seat: str = ""
    part: str = ""
    to: Recipients = field(default_factory=Recipients)
    grey: bool = False
    turns: tuple[int, int] | None = None
    days: tuple[date, date] | None = None
    when: datetime | timedelta | None = None
    who: str = ""
    topic: str = ""
    opening: Opening | None = None
    text: str = ""

    @property
    def turn(self) -> int:
        assert self.turns is not None
        return self.turns[0]


def _fail(said: str, **params: str) -> NoReturn:
    raise unreadable("arguments", said, **params)


def nothing(text: str) -> Given:
    if text:
        _fail("nothing-follows")
    return Given()


def ready(text: str) -> Given:
    """Of NOT: what one is not."""
    if text != "ready":
        _fail("only-ready")
    return Given()


def table(text: str) -> Given:
    found = re.fullmatch(r"(?:game\s+)?([a-z0-9]{1,24})", text)
    return Given(table=found[1]) if found else _fail("no-game")


def own_table(text: str) -> Given:
    """`17`, `17 as S`, `Sales`: a game, a seat by its code or its name, both, or neither."""
    found = re.fullmatch(
        r"(?:(?:game )?([0-9]{1,24})(?: |$))?(?:(?:as |seat )?(\w[\w &-]{0,40}))?", text
    )
    if not found:
        _fail("no-game")
    seat = found[2] or ""
    return Given(table=found[1] or "", seat=seat.upper() if len(seat) == 1 else seat)


def some_table(text: str) -> Given:
    return table(text) if text else Given()


def name(text: str) -> Given:
    return Given(who=text) if text else _fail("no-name")


def part(text: str) -> Given:
    found = re.fullmatch(r"(?:phase\s+)?([0-9a-z]{0,8})", text)
    return Given(part=found[1]) if found else _fail("only-phase")


def topic(text: str) -> Given:
    if not re.fullmatch(r"[a-z0-9.\s-]{0,40}", text):
        _fail("only-topic")
    return Given(topic=" ".join(text.split()))


def language(text: str) -> Given:
    found = re.fullmatch(r"[a-z]{2}(?:-[a-z]{2})?", text)
    return Given(topic=found[0]) if found else _fail("no-language")


def zone(text: str) -> Given:
    found = re.fullmatch(r"[a-z0-9_+-]{1,30}(?:/[a-z0-9_+-]{1,30}){0,2}", text)
    return Given(topic=found[0]) if found else _fail("no-zone")


_TURNS: Final = re.compile(
    r"(?:turns?\s+)?([0-9]{1,4})(?:\s*(?:-|to)\s*([0-9]{1,4}))?(?:\s+(?:of\s+)?game\s+([a-z0-9]{1,24}))?"
)


def turns(text: str) -> Given:
    found = _TURNS.fullmatch(text)
    if not found:
        _fail("no-turns")
    first = int(found[1])
    last = int(found[2] or first)
    if first > last:
        _fail("turns-order")
    return Given(turns=(first, last), table=found[3] or "")


def turn(text: str) -> Given:
    found = re.fullmatch(r"(?:turn\s+)?([0-9]{1,4})", text)
    if not found:
        _fail("no-turn")
    return Given(turns=(int(found[1]), int(found[1])))


def seat(text: str) -> Given:
    found = re.fullmatch(r"(?:seat\s+)?([a-z])", text)
    return Given(seat=found[1].upper()) if found else _fail("no-seat-code")


def for_seat(text: str) -> Given:
    return seat(text.removeprefix("for").strip())


_ADDRESS: Final = re.compile(r"<?([^\s<>(),:;\"@\\]{1,64}@[a-z0-9.-]{1,250})>?")


# Some programs write an address a second time, as a link.
_LINK: Final = re.compile(r" ?[<\[(]mailto:[^\s<>()\[\]]{1,320}[>\])]")


def without_links(text: str) -> str:
    return _LINK.sub("", text)


def address(text: str) -> Given:
    found = _ADDRESS.fullmatch(without_links(text))
    return Given(who=found[1]) if found else _fail("no-address")


MOST_DAYS: Final = 28
_WISH: Final = re.compile(
    r"[, ]+(?:([0-9]{1,2}) ?days?|at ([0-9]{1,2}:[0-9]{2})|(public|master))(?=[, ]|$)",
    re.IGNORECASE,
)
_OPTION: Final = re.compile(r"[A-Za-z]\w*\b.{0,120}")


def opening(text: str) -> Given:
    """`cube-farm`, and then in any order `7 days`, `at 20:00`, `public`, `master`; and options of
    the table, each after a comma."""
    first, *others = text.rstrip(" .!;").split(",")
    wishes = [wish for item in (first, *others) for wish in _WISH.findall(f" {item.strip()}")]
    name, *options = (_WISH.sub("", f" {item.strip()}").strip() for item in (first, *others))
    game, rest = _game_in(name.lower(), name)
    options = [option for option in (rest, *options) if option]
    if any(not _OPTION.fullmatch(option) for option in options):
        _fail("no-wish", word=text[:40])
    days = [int(days) for days, _, _ in wishes if days] or [7]
    if not 1 <= days[-1] <= MOST_DAYS:
        _fail("turn-days", most=str(MOST_DAYS))
    times = [time.rjust(5, "0") for _, time, _ in wishes if time] or [""]
    words = {word.lower() for _, _, word in wishes}
    is_public, leads = "public" in words, "master" in words
    return Given(opening=Opening(game, days[-1], times[-1], is_public, leads, tuple(options)))


def _game_in(text: str, said: str) -> tuple[str, str]:
    """The game that is named first, and what comes after it."""
    words = text.split()
    for count in range(len(words), 0, -1):
        if (found := "-".join(words[:count])) in all_games():
            return found, " ".join(said.split()[count:])
    if not re.fullmatch(r"[a-z]+(?:[ -][a-z]+){0,5}", text):
        _fail("no-wish", word=said[:40]) if said else _fail("no-game-name")
    return game_named(text.replace(" ", "-")).name, ""


def invitation(text: str) -> Given:
    """An address, and where there may be doubt the game."""
    found = re.fullmatch(r"(?:[^<>@]{0,100}<)?([^\s<>]+)>?(?: (?:to )?(.+))?", without_links(text))
    if not found:
        _fail("no-address")
    given = address(found[1])
    return replace(given, table=table(found[2]).table) if found[2] else given


def seat_and_holder(text: str) -> Given:
    code, _, rest = text.partition(" ")
    found = re.fullmatch(r"bot\s+([a-z0-9-]{1,40})", rest.removeprefix("to ").strip())
    who = found[1] if found else address(rest.removeprefix("to ").strip()).who
    return replace(seat(code), who=who)


def recipients(text: str) -> Given:
    """`to S, P`, `to all`, `grey to master`; nobody at all, if nothing is said."""
    found = re.fullmatch(r"(grey\b\s*)?(?:to\b\s*)?([a-z\s,&]*)", text)
    if not found:
        _fail("to-whom")
    words = [word for word in re.split(r"[\s,&]+", found[2]) if word not in ("", "and")]
    seats = [word.upper() for word in words if len(word) == 1]
    if others := [word for word in words if len(word) > 1 and word not in ("all", "master", "gm")]:
        _fail("to-nobody", word=others[0][:20])
    to = Recipients(tuple(dict.fromkeys(seats)), "all" in words, bool({"master", "gm"} & {*words}))
    return Given(to=to, grey=bool(found[1]))


def grey(text: str) -> Given:
    if text not in ("", "grey"):
        _fail("only-grey")
    return Given(grey=bool(text), to=Recipients(to_all=True))


def _day(text: str) -> date:
    iso = re.fullmatch(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})", text)
    dotted = re.fullmatch(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})", text)
    numbers = iso.groups() if iso else dotted.groups()[::-1] if dotted else None
    if numbers is None:
        _fail("not-a-day", word=text[:20])
    try:
        return date(*(int(number) for number in numbers))
    except ValueError:
        _fail("no-such-day", word=text[:20])


def days(text: str) -> Given:
    words = [word for word in text.split() if word not in ("from", "to", "until", "-")]
    if not 1 <= len(words) <= 2:
        _fail("no-days")
    first, last = _day(words[0]), _day(words[-1])
    if first > last:
        _fail("days-order")
    return Given(days=(first, last))


def moment(text: str) -> Given:
    later = re.fullmatch(r"\+\s*([0-9]{1,3})\s*(d|h)[a-z]{0,4}", text)
    if later:
        amount = int(later[1])
        return Given(when=timedelta(days=amount) if later[2] == "d" else timedelta(hours=amount))
    found = re.fullmatch(r"(\S{8,10})(?:\s+|t)(?:at\s+)?([0-9]{1,2}):([0-9]{2})", text)
    if not found or int(found[2]) > 23 or int(found[3]) > 59:
        _fail("no-time")
    day = _day(found[1])
    return Given(when=datetime(day.year, day.month, day.day, int(found[2]), int(found[3])))  # noqa: DTZ001
