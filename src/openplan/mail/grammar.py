"""The commands that a mail may hold, in one table: how each is written, whose it is, what it does.

A mail to us holds an envelope, and nothing outside it is read:

    BEGIN
    (orders, as the game writes them)       # a comment
    PRESS TO P
    Shall we share that cube?
    ENDPRESS
    WAIT
    END

Case and spaces are free, orders may be broken between words, one command has one line. Quoted lines
are never read, nor is anything after END; a mail without END is refused as a whole. A line with a
blank (`____`) is no order. A text may also follow its command in the same line, after a colon.

The answer to a letter of ours holds a token, in the address or on the line BEGIN, that says who
writes; the subject is not read. Orders change the phases that they name and leave the others as
they are held. `[...]` may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Final, NoReturn

from openplan.mail.post import Bearer, Post, Recipients, Role
from openplan.mail.words import unreadable

MAX_ARGUMENTS: Final = 300


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
    text: str = ""

    @property
    def turn(self) -> int:
        assert self.turns is not None
        return self.turns[0]


@dataclass(frozen=True, slots=True)
class Verb:
    word: str
    form: str
    """How it is written after its word."""
    whose: tuple[Role, ...]
    meaning: str
    read: Callable[[str], Given]
    act: Callable[[Post, Bearer, Given], str] | None = None
    """Does it; a verb without one asks for something that the answer then encloses."""
    has_text: bool = False
    any_turn: bool = False
    """Also with a token of an earlier turn."""


# -- What follows a word ---------------------------------------------------------------------


def _fail(said: str, **params: str) -> NoReturn:
    raise unreadable("arguments", said, **params)


def _nothing(text: str) -> Given:
    if text:
        _fail("nothing-follows")
    return Given()


def _table(text: str) -> Given:
    found = re.fullmatch(r"(?:game\s+)?([a-z0-9]{1,24})(?:\s+(?:as\s+|seat\s+)?([a-z]))?", text)
    if not found:
        _fail("no-game")
    return Given(table=found[1], seat=(found[2] or "").upper())


def _own_table(text: str) -> Given:
    found = re.fullmatch(r"(?:as\s+|seat\s+)?([a-z])", text)
    if found:
        return Given(seat=found[1].upper())
    return _table(text) if text else Given()


def _part(text: str) -> Given:
    found = re.fullmatch(r"(?:phase\s+)?([0-9a-z]{0,8})", text)
    return Given(part=found[1]) if found else _fail("only-phase")


def _topic(text: str) -> Given:
    if not re.fullmatch(r"[a-z0-9.\s-]{0,40}", text):
        _fail("only-topic")
    return Given(topic=" ".join(text.split()))


def _language(text: str) -> Given:
    found = re.fullmatch(r"[a-z]{2}(?:-[a-z]{2})?", text)
    return Given(topic=found[0]) if found else _fail("no-language")


def _zone(text: str) -> Given:
    found = re.fullmatch(r"[a-z0-9_+-]{1,30}(?:/[a-z0-9_+-]{1,30}){0,2}", text)
    return Given(topic=found[0]) if found else _fail("no-zone")


_TURNS: Final = re.compile(
    r"(?:turns?\s+)?([0-9]{1,4})(?:\s*(?:-|to)\s*([0-9]{1,4}))?(?:\s+(?:of\s+)?game\s+([a-z0-9]{1,24}))?"
)


def _turns(text: str) -> Given:
    found = _TURNS.fullmatch(text)
    if not found:
        _fail("no-turns")
    first = int(found[1])
    last = int(found[2] or first)
    if first > last:
        _fail("turns-order")
    return Given(turns=(first, last), table=found[3] or "")


def _turn(text: str) -> Given:
    found = re.fullmatch(r"(?:turn\s+)?([0-9]{1,4})", text)
    if not found:
        _fail("no-turn")
    return Given(turns=(int(found[1]), int(found[1])))


def _seat(text: str) -> Given:
    found = re.fullmatch(r"(?:seat\s+)?([a-z])", text)
    return Given(seat=found[1].upper()) if found else _fail("no-seat-code")


_ADDRESS: Final = re.compile(r"<?([^\s<>(),:;\"@\\]{1,64}@[a-z0-9.-]{1,250})>?")


def _address(text: str) -> Given:
    found = _ADDRESS.fullmatch(text)
    return Given(who=found[1]) if found else _fail("no-address")


def _seat_and_holder(text: str) -> Given:
    code, _, rest = text.partition(" ")
    found = re.fullmatch(r"bot\s+([a-z0-9-]{1,40})", rest.removeprefix("to ").strip())
    who = found[1] if found else _address(rest.removeprefix("to ").strip()).who
    return replace(_seat(code), who=who)


def _recipients(text: str) -> Given:
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


def _grey(text: str) -> Given:
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


def _days(text: str) -> Given:
    words = [word for word in text.split() if word not in ("from", "to", "until", "-")]
    if not 1 <= len(words) <= 2:
        _fail("no-days")
    first, last = _day(words[0]), _day(words[-1])
    if first > last:
        _fail("days-order")
    return Given(days=(first, last))


def _when(text: str) -> Given:
    later = re.fullmatch(r"\+\s*([0-9]{1,3})\s*(d|h)[a-z]{0,4}", text)
    if later:
        amount = int(later[1])
        return Given(when=timedelta(days=amount) if later[2] == "d" else timedelta(hours=amount))
    found = re.fullmatch(r"(\S{8,10})(?:\s+|t)(?:at\s+)?([0-9]{1,2}):([0-9]{2})", text)
    if not found or int(found[2]) > 23 or int(found[3]) > 59:
        _fail("no-time")
    day = _day(found[1])
    return Given(when=datetime(day.year, day.month, day.day, int(found[2]), int(found[3])))  # noqa: DTZ001


# -- The table -------------------------------------------------------------------------------


def _press(post: Post, who: Bearer, given: Given) -> str:
    return post.press(who, given.to, given.text, grey=given.grey)


def _absence(post: Post, who: Bearer, given: Given) -> str:
    assert given.days is not None
    return post.absence(who, *given.days)


def _deadline(post: Post, who: Bearer, given: Given) -> str:
    assert given.when is not None
    return post.set_deadline(who, given.when)


_ANYONE: Final = (Role.KNOWN, Role.GUEST, Role.SEAT, Role.MASTER)
_PROVED: Final = (Role.GUEST, Role.SEAT, Role.MASTER)
_PLAYER: Final = (Role.SEAT,)
_MASTER: Final = (Role.MASTER,)
_TABLE: Final = (Role.SEAT, Role.MASTER)

_ALL: Final = (
    Verb("HELP", "[command]", _ANYONE, "how to write to us", _topic, any_turn=True),
    Verb(
        "LIST",
        "",
        _ANYONE,
        "your games, and all that are played or wait for somebody",
        _nothing,
    ),
    Verb("GAME", "n", _ANYONE, "how a game stands, as everybody may know", _table),
    Verb(
        "RULES",
        "[game, clause or word]",
        _ANYONE,
        "the rules, or what they say of something",
        _topic,
        any_turn=True,
    ),
    Verb("HISTORY", "from-to [GAME n]", _ANYONE, "the reports of these turns again", _turns),
    Verb(
        "WATCH",
        "n",
        _PROVED,
        "get the reports of a game as a spectator",
        _table,
        lambda post, who, given: post.watch(who, given.table),
        any_turn=True,
    ),
    Verb(
        "JOIN",
        "[n] [seat]",
        _PROVED,
        "take a seat; after an invitation JOIN is enough",
        _own_table,
        lambda post, who, given: post.join(who, given.table, given.seat),
        any_turn=True,
    ),
    Verb(
        "STANDBY",
        "n",
        _PROVED,
        "take a seat of that game if one falls empty",
        _table,
        lambda post, who, given: post.stand_by(who, given.table),
        any_turn=True,
    ),
    # Players.
    Verb("CLEAR", "[phase]", _PLAYER, "take back the orders held, or those of one phase", _part),
    Verb("FORECAST", "", _PLAYER, "your orders on the table as it stands, scored", _nothing),
    Verb("STATUS", "", _TABLE, "whose orders are in, the deadline, what is held for you", _nothing),
    Verb("HAND", "", _PLAYER, "your cards", _nothing),
    Verb("MAP", "", _TABLE, "the table as text and pictures", _nothing),
    Verb(
        "PRESS",
        "[GREY] TO seats, ALL or MASTER",
        _TABLE,
        "a message to some; GREY leaves it unsigned",
        _recipients,
        _press,
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "BROADCAST",
        "[GREY]",
        _TABLE,
        "a message to all",
        _grey,
        _press,
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "DIARY",
        "",
        _PLAYER,
        "a note that nobody else sees; without a text, all of them",
        _nothing,
        lambda post, who, given: post.write_diary(who, given.text),
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "WAIT",
        "",
        _PLAYER,
        "no adjudication before the deadline, though all orders are in",
        _nothing,
        lambda post, who, _: post.wait(who, waiting=True),
    ),
    Verb(
        "NOWAIT",
        "",
        _PLAYER,
        "the end of WAIT",
        _nothing,
        lambda post, who, _: post.wait(who, waiting=False),
    ),
    Verb(
        "ABSENCE",
        "day [to day]",
        _PLAYER,
        "days on which you cannot play",
        _days,
        _absence,
        any_turn=True,
    ),
    Verb(
        "RESIGN",
        "seat",
        _PLAYER,
        "give up your seat, which is named so that no slip does it",
        _seat,
        lambda post, who, _: post.resign(who),
    ),
    Verb(
        "LANGUAGE",
        "en or de",
        _PROVED,
        "the language of your letters",
        _language,
        lambda post, who, given: post.change_language(who, given.topic),
        any_turn=True,
    ),
    Verb(
        "ZONE",
        "Area/City",
        _PROVED,
        "the time zone in which your letters tell deadlines",
        _zone,
        lambda post, who, given: post.change_zone(who, given.topic),
        any_turn=True,
    ),
    Verb(
        "CONFIRM",
        "",
        (Role.GUEST,),
        "say that a new address is yours, in answer to the letter there",
        _nothing,
        lambda post, who, _: post.confirm_address(who),
        any_turn=True,
    ),
    Verb(
        "ADDRESS",
        "a@example.org",
        _PROVED,
        "have your mail sent elsewhere, once it is confirmed from there",
        _address,
        lambda post, who, given: post.change_address(who, given.who),
    ),
    # Game masters.
    Verb(
        "PROCESS",
        "turn",
        _MASTER,
        "adjudicate this turn now",
        _turn,
        lambda post, who, given: post.process(who, given.turn),
    ),
    Verb("PREVIEW", "", _MASTER, "what PROCESS would find: who is in, who is late", _nothing),
    Verb("PAUSE", "", _MASTER, "stop the clock", _nothing, lambda post, who, _: post.pause(who)),
    Verb("RESUME", "", _MASTER, "start it again", _nothing, lambda post, who, _: post.resume(who)),
    Verb(
        "DEADLINE",
        "day hh:mm, or +24h, +2d",
        _MASTER,
        "set this turn's deadline, in your time zone",
        _when,
        _deadline,
    ),
    Verb(
        "ROLLBACK",
        "turn",
        _MASTER,
        "play again from the beginning of that turn; all send their orders anew",
        _turn,
        lambda post, who, given: post.roll_back(who, given.turn),
    ),
    Verb(
        "EJECT",
        "seat",
        _MASTER,
        "take a seat from its player",
        _seat,
        lambda post, who, given: post.eject(who, given.seat),
    ),
    Verb(
        "SEAT",
        "seat a@example.org, or seat BOT name",
        _MASTER,
        "give an empty seat to somebody or to a bot",
        _seat_and_holder,
        lambda post, who, given: post.give_seat(who, given.seat, given.who),
    ),
    Verb("BECOME", "seat", _MASTER, "what follows is written for that player, who is told", _seat),
    Verb(
        "TERMINATE",
        "turn",
        _MASTER,
        "end the game in this turn",
        _turn,
        lambda post, who, given: post.terminate(who, given.turn),
    ),
    Verb(
        "ANNOUNCE",
        "",
        _MASTER,
        "a message to all, signed by the game master",
        _nothing,
        lambda post, who, given: post.announce(who, given.text),
        has_text=True,
    ),
)
VERBS: Final = {verb.word: verb for verb in _ALL}


def read_arguments(verb: Verb, text: str) -> Given:
    """What follows a verb's word; `Unreadable` says what is missing or too much."""
    if len(text) > MAX_ARGUMENTS:
        _fail("too-long")
    return verb.read(" ".join(text.lower().split()).rstrip(" .!;"))


# -- Telling ---------------------------------------------------------------------------------

GROUPS: Final = (
    ("Anyone", (*_ANYONE,)),
    ("Whoever answers a letter of ours", _PROVED),
    ("Players", _PLAYER),
    ("Players and game masters", _TABLE),
    ("Game masters", _MASTER),
)
