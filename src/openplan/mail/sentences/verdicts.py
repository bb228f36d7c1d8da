"""What the judge says of a mail and of its lines, per language. What a game or the house refuses is
said in their own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from openplan.core.game import GameError, Unreadable
from openplan.core.refusals import Sentences
from openplan.mail.sentences.letters import spoken_in

ENGLISH: Final = {
    # Of a whole mail. Nothing in it was done.
    "too-large": "the mail is larger than 1 MB",
    "header-too-large": "a header of the mail is larger than 16 KB",
    "too-deep": "the mail is packed into itself too often",
    "too-many-parts": "the mail has too many parts",
    "encrypted": "the mail is encrypted; it must be sent in the clear",
    "no-text": "there is no text in the mail",
    "no-begin": "there is no line BEGIN, so nothing was read",
    "quoted-begin": "the line BEGIN (line {line}) is quoted, and what is quoted is never read",
    "no-end": "after BEGIN in line {begun} there is no line END: something may be missing",
    "no-end-before": "after BEGIN in line {begun} there is no line END before line {line}",
    "too-many-lines": "there are too many lines between BEGIN and END",
    "too-long-line": "line {line} is too long",
    "bad-token": "the token is not, or no longer, right; reply to the newest letter of the table",
    "turn-over": "turn {turn} is over; it is turn {now}",
    # Of lines.
    "done": "done",
    "enclosed": "enclosed",
    "ordered": "understood",
    "withdrawn": "what was held is taken back",
    "replaced": "replaced by a later line",
    "quoted": "quoted",
    "empty": "nothing to read",
    "blank": "a blank is left, so this is no order",
    "outside": "outside BEGIN and END",
    "marker": "understood",
    "bare": "nothing to send",
    "too-many": "there are too many lines in this mail; send what is left in another",
    "not-yours": "{verb} is not for you to do here",
    "prove": "answer this letter with the same line, to show that it is you",
    "no-orders-here": "this mail speaks for nobody at a table; reply to a letter of the table, or"
    " ask by 'LIST' where to write",
    "not-held": "{game} carries moves out at once; there is nothing to take back",
    "no-part": "there is no such phase",
    "after-refusal": "not done, since line {line} was refused",
    "other-seat": "your seat is {seat}",
    "written": "It is written",
    # What cannot be read.
    "not-understood": "this is neither a command nor an order",
    "not-understood-here": "this is no command, and the mail speaks for nobody at a table; reply"
    " to a letter of the table, or ask by 'LIST' where to write",
    "token-told": "there is a token in the text, which is yours alone",
    "text-goes-on": "does line {line} belong to the text? Write the text on lines of its own and"
    " then END{verb}, or leave a line empty after it",
    "text-endless": "the text has no END{verb}",
    "text-in-text": "in line {line} another text begins before END{verb}",
    "text-too-long": "a text has at most {most} letters",
    "nothing-follows": "nothing may follow it",
    "no-game": "the number of a game is missing, such as 17",
    "only-phase": "only a phase may follow it",
    "only-topic": "only a command, a game, a clause or a word may follow it",
    "no-language": "a language is missing, such as en or de",
    "no-zone": "a time zone is missing, such as Europe/Berlin",
    "no-turns": "the turns are missing, such as 1-3",
    "turns-order": "the first turn comes after the last",
    "no-turn": "the turn's number is missing, such as 3",
    "no-seat-code": "the code of a seat is missing",
    "no-address": "an address is missing, such as a@example.org",
    "to-whom": "it goes to seats such as S, P, to ALL or to MASTER",
    "to-nobody": "{word!r} is not a seat, ALL or MASTER",
    "only-grey": "only GREY may follow it",
    "not-a-day": "{word!r} is not a day such as 2031-08-24",
    "no-such-day": "there is no day {word}",
    "no-days": "the days are missing, such as 2031-08-24 to 2031-09-07",
    "days-order": "the first day comes after the last",
    "no-game-name": "the game is missing, such as cube-farm",
    "no-wish": "{word!r} is not a game with n DAYS, AT hh:mm, PUBLIC or MASTER",
    "turn-days": "a turn has 1 to {most} days",
    "no-time": "a time is missing, such as 2031-08-24 20:00 or +24h",
    "too-long": "that is too long",
    # What was done.
    "opened": "{title} is open as game {table}.",
    "opened-days": "A turn has {days} days.",
    "opened-time": "A turn has {days} days and ends at {time}.",
    "opened-seat": "You are {seat}.",
    "opened-leading": "You lead it.",
    "opened-invite": "It begins when every seat is taken; by 'INVITE a@example.org GAME {table}'"
    " you ask somebody",
    "opened-public": "It begins when every seat is taken, and is in the list for all",
    "joined": "you have a seat in game {table}; a letter comes when it begins",
    "seated-now": "you have a seat in game {table}; a letter with your hand is on its way",
    "standing-by": "you stand by for game {table}",
    "pressed": "sent to {names}",
    "rolled-back": "the game stands as at the beginning of turn {turn}; all were told, and all send"
    " their orders anew",
    "rolled-back-moves": "the game stands as before its turn {turn}; all were told",
}

GERMAN: Final = {
    "too-large": "die Mail ist größer als 1 MB",
    "header-too-large": "eine Kopfzeile der Mail ist größer als 16 KB",
    "too-deep": "die Mail ist zu oft in sich verpackt",
    "too-many-parts": "die Mail hat zu viele Teile",
    "encrypted": "die Mail ist verschlüsselt; sie muss offen geschickt werden",
    "no-text": "in der Mail ist kein Text",
    "no-begin": "es gibt keine Zeile BEGIN, darum wurde nichts gelesen",
    "quoted-begin": "die Zeile BEGIN (Zeile {line}) ist zitiert, und Zitiertes wird nie gelesen",
    "no-end": "nach BEGIN in Zeile {begun} kommt keine Zeile END: vielleicht fehlt etwas",
    "no-end-before": "nach BEGIN in Zeile {begun} kommt vor Zeile {line} keine Zeile END",
    "too-many-lines": "zwischen BEGIN und END sind zu viele Zeilen",
    "too-long-line": "Zeile {line} ist zu lang",
    "bad-token": "das Kennwort stimmt nicht oder nicht mehr; antworte auf den neuesten Brief des"
    " Tisches",
    "turn-over": "Runde {turn} ist vorbei; es ist Runde {now}",
    "done": "erledigt",
    "enclosed": "liegt bei",
    "ordered": "verstanden",
    "withdrawn": "was vorlag, ist zurückgenommen",
    "replaced": "durch eine spätere Zeile ersetzt",
    "quoted": "zitiert",
    "empty": "nichts zu lesen",
    "blank": "eine Lücke ist geblieben, darum ist das kein Befehl",
    "outside": "nicht zwischen BEGIN und END",
    "marker": "verstanden",
    "bare": "nichts zu verschicken",
    "too-many": "die Mail hat zu viele Zeilen; schick den Rest in einer weiteren",
    "not-yours": "{verb} steht dir hier nicht zu",
    "prove": "antworte auf diesen Brief mit derselben Zeile, um zu zeigen, dass du es bist",
    "no-orders-here": "diese Mail spricht für niemanden an einem Tisch; antworte auf einen Brief"
    " des Tisches, oder frag mit 'LIST', wohin du schreiben kannst",
    "not-held": "{game} führt Züge sofort aus; es gibt nichts zurückzunehmen",
    "no-part": "eine solche Phase gibt es nicht",
    "after-refusal": "nicht getan, weil Zeile {line} abgelehnt wurde",
    "other-seat": "dein Platz ist {seat}",
    "written": "Man schreibt",
    "not-understood": "das ist weder ein Befehl noch ein Zug",
    "not-understood-here": "das ist kein Befehl, und die Mail spricht für niemanden an einem"
    " Tisch; antworte auf einen Brief des Tisches, oder frag mit 'LIST', wohin du schreiben kannst",
    "token-told": "im Text steht ein Kennwort, das nur dir gehört",
    "text-goes-on": "gehört Zeile {line} zum Text? Schreib den Text auf eigene Zeilen und dann"
    " END{verb}, oder lass danach eine Zeile leer",
    "text-endless": "dem Text fehlt END{verb}",
    "text-in-text": "in Zeile {line} beginnt vor END{verb} ein anderer Text",
    "text-too-long": "ein Text hat höchstens {most} Zeichen",
    "nothing-follows": "danach darf nichts kommen",
    "no-game": "die Nummer eines Spiels fehlt, etwa 17",
    "only-phase": "danach darf nur eine Phase kommen",
    "only-topic": "danach darf nur ein Befehl, ein Spiel, eine Klausel oder ein Wort kommen",
    "no-language": "eine Sprache fehlt, etwa en oder de",
    "no-zone": "eine Zeitzone fehlt, etwa Europe/Berlin",
    "no-turns": "die Runden fehlen, etwa 1-3",
    "turns-order": "die erste Runde kommt nach der letzten",
    "no-turn": "die Nummer der Runde fehlt, etwa 3",
    "no-seat-code": "der Platz fehlt",
    "no-address": "eine Adresse fehlt, etwa a@example.org",
    "to-whom": "es geht an Plätze wie S, P, an ALL oder an MASTER",
    "to-nobody": "{word!r} ist kein Platz, nicht ALL und nicht MASTER",
    "only-grey": "danach darf nur GREY kommen",
    "not-a-day": "{word!r} ist kein Tag wie 2031-08-24",
    "no-such-day": "den Tag {word} gibt es nicht",
    "no-days": "die Tage fehlen, etwa 2031-08-24 to 2031-09-07",
    "days-order": "der erste Tag kommt nach dem letzten",
    "no-game-name": "das Spiel fehlt, etwa cube-farm",
    "no-wish": "{word!r} ist kein Spiel mit n DAYS, AT hh:mm, PUBLIC oder MASTER",
    "turn-days": "eine Runde hat 1 bis {most} Tage",
    "no-time": "eine Zeit fehlt, etwa 2031-08-24 20:00 oder +24h",
    "too-long": "das ist zu lang",
    "opened": "{title} ist offen als Spiel {table}.",
    "opened-days": "Eine Runde hat {days} Tage.",
    "opened-time": "Eine Runde hat {days} Tage und endet um {time}.",
    "opened-seat": "Du bist {seat}.",
    "opened-leading": "Du leitest das Spiel.",
    "opened-invite": "Es beginnt, wenn alle Plätze besetzt sind; mit 'INVITE a@example.org GAME"
    " {table}' lädst du jemanden ein",
    "opened-public": "Es beginnt, wenn alle Plätze besetzt sind, und steht in der Liste für alle",
    "joined": "du hast einen Platz in Spiel {table}; ein Brief kommt, wenn es beginnt",
    "seated-now": "du hast einen Platz in Spiel {table}; ein Brief mit deiner Hand ist unterwegs",
    "standing-by": "du stehst für Spiel {table} bereit",
    "pressed": "geschickt an {names}",
    "rolled-back": "das Spiel steht wie am Beginn von Runde {turn}; allen ist es gesagt, und alle"
    " schicken ihre Züge neu",
    "rolled-back-moves": "das Spiel steht wie vor seiner Runde {turn}; allen ist es gesagt",
}

_SENTENCES: Final = Sentences({"en": ENGLISH, "de": GERMAN})


def say(said: str, params: Mapping[str, object], language: str = "en") -> str:
    return _SENTENCES.say(said, params, spoken_in(language))


def unreadable(code: str, said: str, **params: object) -> Unreadable:
    return _SENTENCES.refused(Unreadable, code, said, **params)


def reason_of(error: GameError, language: str) -> str:
    """Why something was refused, in the reader's language as far as it can be said there."""
    return error.reason_in(spoken_in(language))
