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

from openplan.core.sentences import spoken_in
from openplan.mail.commands import arguments
from openplan.mail.commands.arguments import Given
from openplan.mail.commands.port import Role
from openplan.mail.sentences import unreadable

MAX_ARGUMENTS: Final = 300


class VerbWords(NamedTuple):
    """A command in one language."""

    form: str
    """How it is written after its word."""
    meaning: str
    done: str = ""
    """What is answered when it is done, filled with what the port says of it. Where that is one of
    several sentences, they are among the `verdicts`."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A new command is an entry in the table below, and what does it: `do_<word>` in the server's
    port, or what the server's answer encloses where it only asks for something."""

    word: str
    whose: tuple[Role, ...]
    read: Callable[[str], Given]
    en: VerbWords
    de: VerbWords
    done_by_port: bool = False
    """`do_<word>` of the port does it and says what came of it, also where that is only an answer;
    else it asks for something that is then enclosed (`asks` in the server's answers)."""
    has_text: bool = False
    may_lack_text: bool = False
    """It does as much without one."""
    keeps_case: bool = False
    """What follows is read in the letters in which it was written."""
    any_turn: bool = False
    """Also with a token of an earlier turn."""
    follows: str = ""
    """What must come after the word, or the line is no command but a heading."""

    def words(self, language: str) -> VerbWords:
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
        VerbWords("[command]", "how to write to us"),
        VerbWords("[Befehl]", "wie man uns schreibt"),
        any_turn=True,
    ),
    Verb(
        "LIST",
        _ANYONE,
        arguments.nothing,
        VerbWords("", "your games, and all that are played or wait for somebody"),
        VerbWords("", "deine Spiele, und alle, die laufen oder auf jemanden warten"),
    ),
    Verb(
        "GAME",
        _ANYONE,
        arguments.table,
        VerbWords("n", "how a game stands, as everybody may know"),
        VerbWords("n", "wie ein Spiel steht, soweit es alle wissen dürfen"),
    ),
    Verb(
        "RULES",
        _ANYONE,
        arguments.topic,
        VerbWords("[game, clause or word]", "the rules, or what they say of something"),
        VerbWords("[Spiel, Klausel oder Wort]", "die Regeln, oder was sie dazu sagen"),
        any_turn=True,
    ),
    Verb(
        "HISTORY",
        _ANYONE,
        arguments.turns,
        VerbWords("from-to [GAME n]", "the reports of these turns again"),
        VerbWords("von-bis [GAME n]", "die Berichte dieser Runden noch einmal"),
    ),
    Verb(
        "REVIEW",
        _PROVED,
        arguments.some_table,
        VerbWords(
            "[n]",
            "look back on a game that you have played and that is over: what your moves cost, and"
            " what was luck",
        ),
        VerbWords(
            "[n]",
            "auf ein Spiel zurückblicken, das du gespielt hast und das zu Ende ist: was deine Züge"
            " gekostet haben und was Glück war",
        ),
        any_turn=True,
    ),
    Verb(
        "WATCH",
        _PROVED,
        arguments.table,
        VerbWords(
            "n",
            "get the reports of a game as a spectator",
            "you will get the reports of game {table}",
        ),
        VerbWords(
            "n",
            "die Berichte eines Spiels als Zuschauer bekommen",
            "du bekommst die Berichte von Spiel {table}",
        ),
        done_by_port=True,
        any_turn=True,
    ),
    Verb(
        "JOIN",
        _PROVED,
        arguments.own_table,
        VerbWords(
            "[n] [seat]",
            "take a seat, by its code or its name, or change to it; after an invitation JOIN is"
            " enough",
        ),
        VerbWords(
            "[n] [Platz]",
            "einen Platz nehmen, nach Kürzel oder Namen, oder dorthin wechseln; auf eine Einladung"
            " genügt JOIN",
        ),
        done_by_port=True,
        any_turn=True,
    ),
    Verb(
        "LEAVE",
        _PROVED,
        arguments.some_table,
        VerbWords(
            "[n]",
            "give your seat back before the game begins",
            "you have left game {table}",
        ),
        VerbWords(
            "[n]",
            "deinen Platz zurückgeben, bevor das Spiel beginnt",
            "du hast Spiel {table} verlassen",
        ),
        done_by_port=True,
        any_turn=True,
    ),
    Verb(
        "NAME",
        _PROVED,
        arguments.name,
        VerbWords(
            "your name",
            "what you are called at the next tables",
            "you are called {name} at every table that has not begun, and at the next ones",
        ),
        VerbWords(
            "dein Name",
            "wie du an den nächsten Tischen heißt",
            "du heißt {name} an jedem Tisch, der noch nicht begonnen hat, und an den nächsten",
        ),
        done_by_port=True,
        any_turn=True,
        keeps_case=True,
    ),
    Verb(
        "STANDBY",
        _PROVED,
        arguments.table,
        VerbWords("n", "take a seat of that game if one falls empty"),
        VerbWords("n", "bereitstehen, falls dort ein Platz frei wird"),
        done_by_port=True,
        any_turn=True,
    ),
    Verb(
        "OPEN",
        _PROVED,
        arguments.opening,
        VerbWords(
            "game [n DAYS] [AT hh:mm] [PUBLIC] [MASTER] [, option]...",
            "a new table with n days a turn (7); PUBLIC: for all; MASTER: you only lead it;"
            " 'HELP OPEN' lists the options",
        ),
        VerbWords(
            "Spiel [n DAYS] [AT hh:mm] [PUBLIC] [MASTER] [, Option]...",
            "ein neuer Tisch mit n Tagen je Runde (7); PUBLIC: für alle; MASTER: du leitest nur;"
            " 'HELP OPEN' nennt die Optionen",
        ),
        done_by_port=True,
        any_turn=True,
        keeps_case=True,
    ),
    Verb(
        "INVITE",
        _PROVED,
        arguments.invitation,
        VerbWords(
            "a@example.org [GAME n]",
            "ask somebody to a table that you have opened, in this mail or before",
            "an invitation to game {table} is on its way to {who}",
        ),
        VerbWords(
            "a@example.org [GAME n]",
            "jemanden an einen Tisch bitten, den du in dieser Mail oder früher eröffnet hast",
            "eine Einladung zu Spiel {table} ist unterwegs an {who}",
        ),
        done_by_port=True,
        has_text=True,
        may_lack_text=True,
        any_turn=True,
    ),
    Verb(
        "CLOSE",
        _PROVED,
        arguments.table,
        VerbWords(
            "n",
            "call off a table that you have opened and that has not begun",
            "game {table} is called off",
        ),
        VerbWords(
            "n",
            "einen Tisch absagen, den du eröffnet hast und der noch nicht spielt",
            "Spiel {table} ist abgesagt",
        ),
        done_by_port=True,
        any_turn=True,
    ),
    # Players.
    Verb(
        "CLEAR",
        _PLAYER,
        arguments.part,
        VerbWords("[phase]", "take back the orders held, or those of one phase"),
        VerbWords("[Phase]", "die vorliegenden Züge zurücknehmen, oder die einer Phase"),
    ),
    Verb(
        "FORECAST",
        _PLAYER,
        arguments.nothing,
        VerbWords("", "your orders on the table as it stands, scored"),
        VerbWords("", "deine Züge auf dem Tisch, wie er steht, mit Wertung"),
    ),
    Verb(
        "STATUS",
        _TABLE,
        arguments.nothing,
        VerbWords("", "whose orders are in, the deadline, what is held for you"),
        VerbWords("", "wessen Züge da sind, die Frist, was von dir vorliegt"),
    ),
    Verb(
        "HAND",
        _PLAYER,
        arguments.nothing,
        VerbWords("", "your cards"),
        VerbWords("", "deine Karten"),
    ),
    Verb(
        "MAP",
        _TABLE,
        arguments.nothing,
        VerbWords("", "the table as text and pictures"),
        VerbWords("", "der Tisch als Text und Bild"),
    ),
    Verb(
        "PRINT",
        _PLAYER,
        arguments.nothing,
        VerbWords("", "your turn as a PDF, with a form for a pen"),
        VerbWords("", "deine Runde als PDF, mit einem Formular für den Stift"),
    ),
    Verb(
        "PRESS",
        _TABLE,
        arguments.recipients,
        VerbWords("[GREY] TO seats, ALL or MASTER", "a message to some; GREY leaves it unsigned"),
        VerbWords(
            "[GREY] TO Plätze, ALL oder MASTER",
            "eine Nachricht an einige; mit GREY ohne Unterschrift",
        ),
        done_by_port=True,
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "BROADCAST",
        _TABLE,
        arguments.grey,
        VerbWords("[GREY]", "a message to all"),
        VerbWords("[GREY]", "eine Nachricht an alle"),
        done_by_port=True,
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "DIARY",
        _PLAYER,
        arguments.nothing,
        VerbWords(
            "",
            "a note that nobody else sees; without a text, all of them",
            "noted; nobody else can read it",
        ),
        VerbWords(
            "",
            "eine Notiz, die sonst niemand sieht; ohne Text alle Notizen",
            "notiert; sonst kann es niemand lesen",
        ),
        done_by_port=True,
        has_text=True,
        any_turn=True,
    ),
    Verb(
        "WAIT",
        _PLAYER,
        arguments.nothing,
        VerbWords(
            "",
            "no adjudication before the deadline, though all orders are in",
            "the turn waits for its deadline",
        ),
        VerbWords(
            "",
            "keine Ausführung vor der Frist, auch wenn alle Züge da sind",
            "die Runde wartet auf ihre Frist",
        ),
        done_by_port=True,
    ),
    Verb(
        "NOWAIT",
        _PLAYER,
        arguments.nothing,
        VerbWords("", "the end of WAIT", "the turn waits no longer for you"),
        VerbWords("", "das Ende von WAIT", "die Runde wartet nicht mehr auf dich"),
        done_by_port=True,
    ),
    Verb(
        "READY",
        _PLAYER,
        arguments.nothing,
        VerbWords(
            "",
            "your orders are as they shall be; the turn need not wait for you",
            "you are ready; the turn waits no longer for you",
        ),
        VerbWords(
            "",
            "deine Züge stehen fest; die Runde muss nicht auf dich warten",
            "du bist bereit; die Runde wartet nicht mehr auf dich",
        ),
        done_by_port=True,
    ),
    Verb(
        "NOT",
        _PLAYER,
        arguments.ready,
        VerbWords(
            "READY",
            "your orders are saved and count at the deadline, not before",
            "your orders are saved and count at the deadline, not before",
        ),
        VerbWords(
            "READY",
            "deine Züge sind vorgemerkt und zählen zur Frist, nicht früher",
            "deine Züge sind vorgemerkt und zählen zur Frist, nicht früher",
        ),
        done_by_port=True,
    ),
    Verb(
        "ABSENCE",
        _PLAYER,
        arguments.days,
        VerbWords(
            "day [to day]", "days on which you cannot play", "you are away from {first} to {last}"
        ),
        VerbWords(
            "Tag [to Tag]",
            "Tage, an denen du nicht spielen kannst",
            "du bist weg von {first} bis {last}",
        ),
        done_by_port=True,
        any_turn=True,
    ),
    Verb(
        "RESIGN",
        _PLAYER,
        arguments.seat,
        VerbWords(
            "seat", "give up your seat, which is named so that no slip does it", "you have resigned"
        ),
        VerbWords(
            "Platz",
            "aufgeben; der Platz wird genannt, damit es kein Versehen ist",
            "du hast aufgegeben",
        ),
        done_by_port=True,
    ),
    Verb(
        "LANGUAGE",
        _PROVED,
        arguments.language,
        VerbWords(
            "en or de",
            "the language of your letters",
            "your letters are in this language from now on",
        ),
        VerbWords(
            "en oder de",
            "die Sprache deiner Briefe",
            "deine Briefe sind ab jetzt in dieser Sprache",
        ),
        done_by_port=True,
        any_turn=True,
    ),
    Verb(
        "ZONE",
        _PROVED,
        arguments.zone,
        VerbWords(
            "Area/City",
            "the time zone in which your letters tell deadlines",
            "your letters tell times of {zone} from now on",
        ),
        VerbWords(
            "Gebiet/Stadt",
            "die Zeitzone, in der deine Briefe Fristen nennen",
            "deine Briefe nennen ab jetzt Zeiten von {zone}",
        ),
        done_by_port=True,
        any_turn=True,
    ),
    Verb(
        "CONFIRM",
        (Role.GUEST,),
        arguments.nothing,
        VerbWords(
            "",
            "say that a new address is yours, in answer to the letter there",
            "your letters come to this address from now on",
        ),
        VerbWords(
            "",
            "sagen, dass eine neue Adresse deine ist, als Antwort auf den Brief dort",
            "deine Briefe kommen ab jetzt an diese Adresse",
        ),
        done_by_port=True,
        any_turn=True,
    ),
    Verb(
        "ADDRESS",
        _PROVED,
        arguments.address,
        VerbWords(
            "a@example.org",
            "have your mail sent elsewhere, once it is confirmed from there",
            "a letter to the new address asks whether it is yours",
        ),
        VerbWords(
            "a@example.org",
            "Post anderswohin bekommen, sobald es von dort bestätigt ist",
            "ein Brief an die neue Adresse fragt, ob sie deine ist",
        ),
        done_by_port=True,
    ),
    # Game masters.
    Verb(
        "PROCESS",
        _MASTER,
        arguments.turn,
        VerbWords("turn", "adjudicate this turn now", "turn {turn} is carried out"),
        VerbWords("Runde", "diese Runde jetzt ausführen", "Runde {turn} ist ausgeführt"),
        done_by_port=True,
    ),
    Verb(
        "PREVIEW",
        _MASTER,
        arguments.nothing,
        VerbWords("", "what PROCESS would find: who is in, who is late"),
        VerbWords("", "was PROCESS vorfände: wer da ist, wer fehlt"),
    ),
    Verb(
        "PAUSE",
        _MASTER,
        arguments.nothing,
        VerbWords("", "stop the clock", "the clocks stand still"),
        VerbWords("", "die Uhr anhalten", "die Uhren stehen still"),
        done_by_port=True,
    ),
    Verb(
        "RESUME",
        _MASTER,
        arguments.nothing,
        VerbWords("", "start it again", "the clocks run again"),
        VerbWords("", "sie wieder laufen lassen", "die Uhren laufen wieder"),
        done_by_port=True,
    ),
    Verb(
        "DEADLINE",
        _MASTER,
        arguments.moment,
        VerbWords(
            "day hh:mm, or +24h, +2d",
            "set this turn's deadline, in your time zone",
            "the deadline is {due}",
        ),
        VerbWords(
            "Tag hh:mm, oder +24h, +2d",
            "die Frist dieser Runde setzen, in deiner Zeitzone",
            "die Frist ist {due}",
        ),
        done_by_port=True,
    ),
    Verb(
        "ROLLBACK",
        _MASTER,
        arguments.turn,
        VerbWords("turn", "play again from the beginning of that turn; all send their orders anew"),
        VerbWords("Runde", "vom Beginn dieser Runde an neu spielen; alle schicken ihre Züge neu"),
        done_by_port=True,
    ),
    Verb(
        "EJECT",
        _MASTER,
        arguments.seat,
        VerbWords("seat", "take a seat from its player", "the seat {seat} is open"),
        VerbWords("Platz", "jemandem den Platz nehmen", "der Platz {seat} ist offen"),
        done_by_port=True,
    ),
    Verb(
        "SEAT",
        _MASTER,
        arguments.seat_and_holder,
        VerbWords(
            "seat a@example.org, or seat BOT name",
            "offer an empty seat to somebody, who is asked, or give it to a bot",
        ),
        VerbWords(
            "Platz a@example.org, oder Platz BOT Name",
            "einen leeren Platz jemandem anbieten, oder ihn einem Bot geben",
        ),
        done_by_port=True,
    ),
    Verb(
        "ORDERS",
        _MASTER,
        arguments.for_seat,
        VerbWords(
            "FOR seat",
            "orders that a player sent on paper; the player is told, and you see none of theirs",
            "the orders for {seat} are entered; what can be carried out is told to the player",
        ),
        VerbWords(
            "FOR Platz",
            "Züge, die jemand auf Papier schickt; das wird dort gesagt, und du siehst keine",
            "die Züge für {seat} sind eingetragen; was davon geht, erfährt nur der Platz",
        ),
        done_by_port=True,
        has_text=True,
        follows=r"\s+for\s+(?:seat\s+)?[a-z]\b",
    ),
    Verb(
        "TERMINATE",
        _MASTER,
        arguments.turn,
        VerbWords("turn", "end the game in this turn", "the game is ended"),
        VerbWords("Runde", "das Spiel in dieser Runde beenden", "das Spiel ist beendet"),
        done_by_port=True,
    ),
    Verb(
        "ANNOUNCE",
        _MASTER,
        arguments.nothing,
        VerbWords("", "a message to all, signed by the game master", "announced to all"),
        VerbWords("", "eine Nachricht an alle, von der Spielleitung", "allen gesagt"),
        done_by_port=True,
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
    text = " ".join(text.split())
    return verb.read(text if verb.keeps_case else text.lower().rstrip(" .!;"))


# -- Telling ---------------------------------------------------------------------------------

GROUPS: Final = (
    ("Anyone", (*_ANYONE,)),
    ("Whoever answers a letter of ours", _PROVED),
    ("Players", _PLAYER),
    ("Players and game masters", _TABLE),
    ("Game masters", _MASTER),
)
