"""What the judge says of a mail and of its lines, per language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
    "bad-token": "the token is not, or no longer, right",
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
    "no-orders-here": "this mail speaks for no seat",
    "not-held": "{game} carries moves out at once; there is nothing to take back",
    "no-part": "there is no such phase",
    "after-refusal": "not done, since line {line} was refused",
    "other-seat": "your seat is {seat}",
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
    "bad-token": "das Kennwort stimmt nicht oder nicht mehr",
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
    "no-orders-here": "diese Mail spricht für keinen Platz",
    "not-held": "{game} führt Züge sofort aus; es gibt nichts zurückzunehmen",
    "no-part": "eine solche Phase gibt es nicht",
    "after-refusal": "nicht getan, weil Zeile {line} abgelehnt wurde",
    "other-seat": "dein Platz ist {seat}",
}

LANGUAGES: Final = {"en": ENGLISH, "de": GERMAN}


def say(code: str, params: Mapping[str, object], language: str = "en") -> str:
    return LANGUAGES.get(language, ENGLISH)[code].format_map(params)
