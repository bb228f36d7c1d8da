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

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from openplan.mail.commands import arguments
from openplan.mail.commands.arguments import Given
from openplan.mail.commands.port import Bearer, Post, Role
from openplan.mail.sentences.verdicts import unreadable

MAX_ARGUMENTS: Final = 300


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


# -- The table -------------------------------------------------------------------------------


def _press(post: Post, who: Bearer, given: Given) -> str:
    return post.press(who, given.to, given.text, grey=given.grey)


def _open(post: Post, who: Bearer, given: Given) -> str:
    assert given.opening is not None
    return post.open_table(who, given.opening)


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
    Verb("HELP", "[command]", _ANYONE, "how to write to us", arguments.topic, any_turn=True),
    Verb(
        "LIST",
        "",
        _ANYONE,
        "your games, and all that are played or wait for somebody",
        arguments.nothing,
    ),
    Verb("GAME", "n", _ANYONE, "how a game stands, as everybody may know", arguments.table),
    Verb(
        "RULES",
        "[game, clause or word]",
        _ANYONE,
        "the rules, or what they say of something",
        arguments.topic,
        any_turn=True,
    ),
    Verb(
        "HISTORY", "from-to [GAME n]", _ANYONE, "the reports of these turns again", arguments.turns
    ),
    Verb(
        "WATCH",
        "n",
        _PROVED,
        "get the reports of a game as a spectator",
        arguments.table,
        lambda post, who, given: post.watch(who, given.table),
        any_turn=True,
    ),
    Verb(
        "JOIN",
        "[n] [seat]",
        _PROVED,
        "take a seat; after an invitation JOIN is enough",
        arguments.own_table,
        lambda post, who, given: post.join(who, given.table, given.seat),
        any_turn=True,
    ),
    Verb(
        "STANDBY",
        "n",
        _PROVED,
        "take a seat of that game if one falls empty",
        arguments.table,
        lambda post, who, given: post.stand_by(who, given.table),
        any_turn=True,
    ),
    Verb(
        "OPEN",
        "game [n DAYS] [AT hh:mm] [PUBLIC] [MASTER]",
        _PROVED,
        "a new table with n days a turn (7); PUBLIC: for all; MASTER: you only lead it",
        arguments.opening,
        _open,
        any_turn=True,
    ),
    Verb(
        "INVITE",
        "a@example.org [GAME n]",
        _PROVED,
        "ask somebody to a table that you have opened, in this mail or before",
        arguments.invitation,
        lambda post, who, given: post.invite(who, given.who, given.table),
        any_turn=True,
    ),
    Verb(
        "CLOSE",
        "n",
        _PROVED,
        "call off a table that you have opened and that has not begun",
        arguments.table,
        lambda post, who, given: post.close_table(who, given.table),
        any_turn=True,
    ),
    # Players.
    Verb(
        "CLEAR",
        "[phase]",
        _PLAYER,
        "take back the orders held, or those of one phase",
        arguments.part,
    ),
    Verb(
        "FORECAST", "", _PLAYER, "your orders on the table as it stands, scored", arguments.nothing
    ),
    Verb(
        "STATUS",
        "",
        _TABLE,
        "whose orders are in, the deadline, what is held for you",
        arguments.nothing,
    ),
    Verb("HAND", "", _PLAYER, "your cards", arguments.nothing),
    Verb("MAP", "", _TABLE, "the table as text and pictures", arguments.nothing),
    Verb(
        "PRESS",
        "[GREY] TO seats, ALL or MASTER",
        _TABLE,
        "a message to some; GREY leaves it unsigned",
        arguments.recipients,
        _press,
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "BROADCAST",
        "[GREY]",
        _TABLE,
        "a message to all",
        arguments.grey,
        _press,
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "DIARY",
        "",
        _PLAYER,
        "a note that nobody else sees; without a text, all of them",
        arguments.nothing,
        lambda post, who, given: post.write_diary(who, given.text),
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "WAIT",
        "",
        _PLAYER,
        "no adjudication before the deadline, though all orders are in",
        arguments.nothing,
        lambda post, who, _: post.wait(who, waiting=True),
    ),
    Verb(
        "NOWAIT",
        "",
        _PLAYER,
        "the end of WAIT",
        arguments.nothing,
        lambda post, who, _: post.wait(who, waiting=False),
    ),
    Verb(
        "ABSENCE",
        "day [to day]",
        _PLAYER,
        "days on which you cannot play",
        arguments.days,
        _absence,
        any_turn=True,
    ),
    Verb(
        "RESIGN",
        "seat",
        _PLAYER,
        "give up your seat, which is named so that no slip does it",
        arguments.seat,
        lambda post, who, _: post.resign(who),
    ),
    Verb(
        "LANGUAGE",
        "en or de",
        _PROVED,
        "the language of your letters",
        arguments.language,
        lambda post, who, given: post.change_language(who, given.topic),
        any_turn=True,
    ),
    Verb(
        "ZONE",
        "Area/City",
        _PROVED,
        "the time zone in which your letters tell deadlines",
        arguments.zone,
        lambda post, who, given: post.change_zone(who, given.topic),
        any_turn=True,
    ),
    Verb(
        "CONFIRM",
        "",
        (Role.GUEST,),
        "say that a new address is yours, in answer to the letter there",
        arguments.nothing,
        lambda post, who, _: post.confirm_address(who),
        any_turn=True,
    ),
    Verb(
        "ADDRESS",
        "a@example.org",
        _PROVED,
        "have your mail sent elsewhere, once it is confirmed from there",
        arguments.address,
        lambda post, who, given: post.change_address(who, given.who),
    ),
    # Game masters.
    Verb(
        "PROCESS",
        "turn",
        _MASTER,
        "adjudicate this turn now",
        arguments.turn,
        lambda post, who, given: post.process(who, given.turn),
    ),
    Verb(
        "PREVIEW", "", _MASTER, "what PROCESS would find: who is in, who is late", arguments.nothing
    ),
    Verb(
        "PAUSE",
        "",
        _MASTER,
        "stop the clock",
        arguments.nothing,
        lambda post, who, _: post.pause(who),
    ),
    Verb(
        "RESUME",
        "",
        _MASTER,
        "start it again",
        arguments.nothing,
        lambda post, who, _: post.resume(who),
    ),
    Verb(
        "DEADLINE",
        "day hh:mm, or +24h, +2d",
        _MASTER,
        "set this turn's deadline, in your time zone",
        arguments.when,
        _deadline,
    ),
    Verb(
        "ROLLBACK",
        "turn",
        _MASTER,
        "play again from the beginning of that turn; all send their orders anew",
        arguments.turn,
        lambda post, who, given: post.roll_back(who, given.turn),
    ),
    Verb(
        "EJECT",
        "seat",
        _MASTER,
        "take a seat from its player",
        arguments.seat,
        lambda post, who, given: post.eject(who, given.seat),
    ),
    Verb(
        "SEAT",
        "seat a@example.org, or seat BOT name",
        _MASTER,
        "give an empty seat to somebody or to a bot",
        arguments.seat_and_holder,
        lambda post, who, given: post.give_seat(who, given.seat, given.who),
    ),
    Verb(
        "BECOME",
        "seat",
        _MASTER,
        "what follows is written for that player, who is told",
        arguments.seat,
    ),
    Verb(
        "TERMINATE",
        "turn",
        _MASTER,
        "end the game in this turn",
        arguments.turn,
        lambda post, who, given: post.terminate(who, given.turn),
    ),
    Verb(
        "ANNOUNCE",
        "",
        _MASTER,
        "a message to all, signed by the game master",
        arguments.nothing,
        lambda post, who, given: post.announce(who, given.text),
        has_text=True,
    ),
)
VERBS: Final = {verb.word: verb for verb in _ALL}


def read_arguments(verb: Verb, text: str) -> Given:
    """What follows a verb's word; `Unreadable` says what is missing or too much."""
    if len(text) > MAX_ARGUMENTS:
        raise unreadable("arguments", "too-long")
    return verb.read(" ".join(text.lower().split()).rstrip(" .!;"))


# -- Telling ---------------------------------------------------------------------------------

GROUPS: Final = (
    ("Anyone", (*_ANYONE,)),
    ("Whoever answers a letter of ours", _PROVED),
    ("Players", _PLAYER),
    ("Players and game masters", _TABLE),
    ("Game masters", _MASTER),
)
