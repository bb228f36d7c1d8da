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

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from openplan.mail.commands import arguments
from openplan.mail.commands.arguments import Given
from openplan.mail.commands.port import Role
from openplan.mail.sentences.letters import spoken_in
from openplan.mail.sentences.verdicts import unreadable

MAX_ARGUMENTS: Final = 300


class Words(NamedTuple):
    """A command in one language."""

    form: str
    """How it is written after its word."""
    meaning: str
    done: str = ""
    """What is answered when it is done, filled with what the deed says of it. Where that is one of
    several sentences, they are among the `verdicts`."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A new command is an entry in the table below, and its deed: `do_<word>` in the server's port,
    or what the server's answer encloses where it only asks for something."""

    word: str
    whose: tuple[Role, ...]
    read: Callable[[str], Given]
    en: Words
    de: Words
    acts: bool = False
    """Done by the port, `do_<word>`; else it asks for something that the answer then encloses."""
    has_text: bool = False
    any_turn: bool = False
    """Also with a token of an earlier turn."""

    def words(self, language: str) -> Words:
        return self.de if spoken_in(language) == "de" else self.en


# -- The table -------------------------------------------------------------------------------


_ANYONE: Final = (Role.KNOWN, Role.GUEST, Role.SEAT, Role.MASTER)
_PROVED: Final = (Role.GUEST, Role.SEAT, Role.MASTER)
_PLAYER: Final = (Role.SEAT,)
_MASTER: Final = (Role.MASTER,)
_TABLE: Final = (Role.SEAT, Role.MASTER)

_ALL: Final = (
    Verb(
        "HELP",
        _ANYONE,
        arguments.topic,
        Words("[command]", "how to write to us"),
        Words("[Befehl]", "wie man uns schreibt"),
        any_turn=True,
    ),
    Verb(
        "LIST",
        _ANYONE,
        arguments.nothing,
        Words("", "your games, and all that are played or wait for somebody"),
        Words("", "deine Spiele, und alle, die laufen oder auf jemanden warten"),
    ),
    Verb(
        "GAME",
        _ANYONE,
        arguments.table,
        Words("n", "how a game stands, as everybody may know"),
        Words("n", "wie ein Spiel steht, soweit es alle wissen dürfen"),
    ),
    Verb(
        "RULES",
        _ANYONE,
        arguments.topic,
        Words("[game, clause or word]", "the rules, or what they say of something"),
        Words("[Spiel, Klausel oder Wort]", "die Regeln, oder was sie dazu sagen"),
        any_turn=True,
    ),
    Verb(
        "HISTORY",
        _ANYONE,
        arguments.turns,
        Words("from-to [GAME n]", "the reports of these turns again"),
        Words("von-bis [GAME n]", "die Berichte dieser Runden noch einmal"),
    ),
    Verb(
        "WATCH",
        _PROVED,
        arguments.table,
        Words(
            "n",
            "get the reports of a game as a spectator",
            "you will get the reports of game {table}",
        ),
        Words(
            "n",
            "die Berichte eines Spiels als Zuschauer bekommen",
            "du bekommst die Berichte von Spiel {table}",
        ),
        acts=True,
        any_turn=True,
    ),
    Verb(
        "JOIN",
        _PROVED,
        arguments.own_table,
        Words("[n] [seat]", "take a seat; after an invitation JOIN is enough"),
        Words("[n] [Platz]", "einen Platz nehmen; auf eine Einladung genügt JOIN"),
        acts=True,
        any_turn=True,
    ),
    Verb(
        "STANDBY",
        _PROVED,
        arguments.table,
        Words("n", "take a seat of that game if one falls empty"),
        Words("n", "bereitstehen, falls dort ein Platz frei wird"),
        acts=True,
        any_turn=True,
    ),
    Verb(
        "OPEN",
        _PROVED,
        arguments.opening,
        Words(
            "game [n DAYS] [AT hh:mm] [PUBLIC] [MASTER]",
            "a new table with n days a turn (7); PUBLIC: for all; MASTER: you only lead it",
        ),
        Words(
            "Spiel [n DAYS] [AT hh:mm] [PUBLIC] [MASTER]",
            "ein neuer Tisch mit n Tagen je Runde (7); PUBLIC: für alle; MASTER: du leitest nur",
        ),
        acts=True,
        any_turn=True,
    ),
    Verb(
        "INVITE",
        _PROVED,
        arguments.invitation,
        Words(
            "a@example.org [GAME n]",
            "ask somebody to a table that you have opened, in this mail or before",
            "an invitation to game {table} is on its way to {who}",
        ),
        Words(
            "a@example.org [GAME n]",
            "jemanden an einen Tisch bitten, den du in dieser Mail oder früher eröffnet hast",
            "eine Einladung zu Spiel {table} ist unterwegs an {who}",
        ),
        acts=True,
        any_turn=True,
    ),
    Verb(
        "CLOSE",
        _PROVED,
        arguments.table,
        Words(
            "n",
            "call off a table that you have opened and that has not begun",
            "game {table} is called off",
        ),
        Words(
            "n",
            "einen Tisch absagen, den du eröffnet hast und der noch nicht spielt",
            "Spiel {table} ist abgesagt",
        ),
        acts=True,
        any_turn=True,
    ),
    # Players.
    Verb(
        "CLEAR",
        _PLAYER,
        arguments.part,
        Words("[phase]", "take back the orders held, or those of one phase"),
        Words("[Phase]", "die vorliegenden Züge zurücknehmen, oder die einer Phase"),
    ),
    Verb(
        "FORECAST",
        _PLAYER,
        arguments.nothing,
        Words("", "your orders on the table as it stands, scored"),
        Words("", "deine Züge auf dem Tisch, wie er steht, mit Wertung"),
    ),
    Verb(
        "STATUS",
        _TABLE,
        arguments.nothing,
        Words("", "whose orders are in, the deadline, what is held for you"),
        Words("", "wessen Züge da sind, die Frist, was von dir vorliegt"),
    ),
    Verb("HAND", _PLAYER, arguments.nothing, Words("", "your cards"), Words("", "deine Karten")),
    Verb(
        "MAP",
        _TABLE,
        arguments.nothing,
        Words("", "the table as text and pictures"),
        Words("", "der Tisch als Text und Bild"),
    ),
    Verb(
        "PRESS",
        _TABLE,
        arguments.recipients,
        Words("[GREY] TO seats, ALL or MASTER", "a message to some; GREY leaves it unsigned"),
        Words(
            "[GREY] TO Plätze, ALL oder MASTER",
            "eine Nachricht an einige; mit GREY ohne Unterschrift",
        ),
        acts=True,
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "BROADCAST",
        _TABLE,
        arguments.grey,
        Words("[GREY]", "a message to all"),
        Words("[GREY]", "eine Nachricht an alle"),
        acts=True,
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "DIARY",
        _PLAYER,
        arguments.nothing,
        Words(
            "",
            "a note that nobody else sees; without a text, all of them",
            "noted; nobody else can read it",
        ),
        Words(
            "",
            "eine Notiz, die sonst niemand sieht; ohne Text alle Notizen",
            "notiert; sonst kann es niemand lesen",
        ),
        acts=True,
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "WAIT",
        _PLAYER,
        arguments.nothing,
        Words(
            "",
            "no adjudication before the deadline, though all orders are in",
            "the turn waits for its deadline",
        ),
        Words(
            "",
            "keine Ausführung vor der Frist, auch wenn alle Züge da sind",
            "die Runde wartet auf ihre Frist",
        ),
        acts=True,
    ),
    Verb(
        "NOWAIT",
        _PLAYER,
        arguments.nothing,
        Words("", "the end of WAIT", "the turn waits no longer for you"),
        Words("", "das Ende von WAIT", "die Runde wartet nicht mehr auf dich"),
        acts=True,
    ),
    Verb(
        "ABSENCE",
        _PLAYER,
        arguments.days,
        Words(
            "day [to day]", "days on which you cannot play", "you are away from {first} to {last}"
        ),
        Words(
            "Tag [to Tag]",
            "Tage, an denen du nicht spielen kannst",
            "du bist weg von {first} bis {last}",
        ),
        acts=True,
        any_turn=True,
    ),
    Verb(
        "RESIGN",
        _PLAYER,
        arguments.seat,
        Words(
            "seat", "give up your seat, which is named so that no slip does it", "you have resigned"
        ),
        Words(
            "Platz",
            "aufgeben; der Platz wird genannt, damit es kein Versehen ist",
            "du hast aufgegeben",
        ),
        acts=True,
    ),
    Verb(
        "LANGUAGE",
        _PROVED,
        arguments.language,
        Words(
            "en or de",
            "the language of your letters",
            "your letters are in this language from now on",
        ),
        Words(
            "en oder de",
            "die Sprache deiner Briefe",
            "deine Briefe sind ab jetzt in dieser Sprache",
        ),
        acts=True,
        any_turn=True,
    ),
    Verb(
        "ZONE",
        _PROVED,
        arguments.zone,
        Words(
            "Area/City",
            "the time zone in which your letters tell deadlines",
            "your letters tell times of {zone} from now on",
        ),
        Words(
            "Gebiet/Stadt",
            "die Zeitzone, in der deine Briefe Fristen nennen",
            "deine Briefe nennen ab jetzt Zeiten von {zone}",
        ),
        acts=True,
        any_turn=True,
    ),
    Verb(
        "CONFIRM",
        (Role.GUEST,),
        arguments.nothing,
        Words(
            "",
            "say that a new address is yours, in answer to the letter there",
            "your letters come to this address from now on",
        ),
        Words(
            "",
            "sagen, dass eine neue Adresse deine ist, als Antwort auf den Brief dort",
            "deine Briefe kommen ab jetzt an diese Adresse",
        ),
        acts=True,
        any_turn=True,
    ),
    Verb(
        "ADDRESS",
        _PROVED,
        arguments.address,
        Words(
            "a@example.org",
            "have your mail sent elsewhere, once it is confirmed from there",
            "a letter to the new address asks whether it is yours",
        ),
        Words(
            "a@example.org",
            "Post anderswohin bekommen, sobald es von dort bestätigt ist",
            "ein Brief an die neue Adresse fragt, ob sie deine ist",
        ),
        acts=True,
    ),
    # Game masters.
    Verb(
        "PROCESS",
        _MASTER,
        arguments.turn,
        Words("turn", "adjudicate this turn now", "turn {turn} is carried out"),
        Words("Runde", "diese Runde jetzt ausführen", "Runde {turn} ist ausgeführt"),
        acts=True,
    ),
    Verb(
        "PREVIEW",
        _MASTER,
        arguments.nothing,
        Words("", "what PROCESS would find: who is in, who is late"),
        Words("", "was PROCESS vorfände: wer da ist, wer fehlt"),
    ),
    Verb(
        "PAUSE",
        _MASTER,
        arguments.nothing,
        Words("", "stop the clock", "the clocks stand still"),
        Words("", "die Uhr anhalten", "die Uhren stehen still"),
        acts=True,
    ),
    Verb(
        "RESUME",
        _MASTER,
        arguments.nothing,
        Words("", "start it again", "the clocks run again"),
        Words("", "sie wieder laufen lassen", "die Uhren laufen wieder"),
        acts=True,
    ),
    Verb(
        "DEADLINE",
        _MASTER,
        arguments.when,
        Words(
            "day hh:mm, or +24h, +2d",
            "set this turn's deadline, in your time zone",
            "the deadline is {due}",
        ),
        Words(
            "Tag hh:mm, oder +24h, +2d",
            "die Frist dieser Runde setzen, in deiner Zeitzone",
            "die Frist ist {due}",
        ),
        acts=True,
    ),
    Verb(
        "ROLLBACK",
        _MASTER,
        arguments.turn,
        Words("turn", "play again from the beginning of that turn; all send their orders anew"),
        Words("Runde", "vom Beginn dieser Runde an neu spielen; alle schicken ihre Züge neu"),
        acts=True,
    ),
    Verb(
        "EJECT",
        _MASTER,
        arguments.seat,
        Words("seat", "take a seat from its player", "the seat {seat} is open"),
        Words("Platz", "jemandem den Platz nehmen", "der Platz {seat} ist offen"),
        acts=True,
    ),
    Verb(
        "SEAT",
        _MASTER,
        arguments.seat_and_holder,
        Words(
            "seat a@example.org, or seat BOT name",
            "give an empty seat to somebody or to a bot",
            "the seat {seat} is given to {who}",
        ),
        Words(
            "Platz a@example.org, oder Platz BOT Name",
            "einen leeren Platz besetzen",
            "den Platz {seat} hat jetzt {who}",
        ),
        acts=True,
    ),
    Verb(
        "BECOME",
        _MASTER,
        arguments.seat,
        Words("seat", "what follows is written for that player, who is told"),
        Words("Platz", "was folgt, ist für diesen Platz geschrieben; es wird dort gesagt"),
    ),
    Verb(
        "TERMINATE",
        _MASTER,
        arguments.turn,
        Words("turn", "end the game in this turn", "the game is ended"),
        Words("Runde", "das Spiel in dieser Runde beenden", "das Spiel ist beendet"),
        acts=True,
    ),
    Verb(
        "ANNOUNCE",
        _MASTER,
        arguments.nothing,
        Words("", "a message to all, signed by the game master", "announced to all"),
        Words("", "eine Nachricht an alle, von der Spielleitung", "allen gesagt"),
        acts=True,
        has_text=True,
    ),
)
VERBS: Final = {verb.word: verb for verb in _ALL}


def done(word: str, params: Mapping[str, object], language: str) -> str:
    """What is answered when this command is done."""
    return VERBS[word].words(language).done.format_map(params)


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
