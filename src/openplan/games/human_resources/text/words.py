"""The sentences for refusals, events and results, per language, for page, letter and terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final = {
    # Refusals.
    "over": "the game is over",
    "not-your-turn": "it is {seat}'s turn to decide",
    "not-in-hand": "{card} is not in your hand",
    "occupied": "{square} is already taken",
    "not-adjacent": "{square} does not share a wall with another cubicle",
    "not-a-project": "{card} is not a project",
    "not-a-quota": "{card} is not a quota",
    "not-a-manager": "{card} cannot be hired",
    "quota-not-met": "the condition of {card} does not hold: {quota}",
    "wrong-ability": "{card} does something else",
    "no-idling": "at this table {card} is hired only for what it does",
    "no-cubicle": "there is no cubicle on {square}",
    "breaks-office": "the office would fall apart",
    "last-cubicle": "it is the last cubicle of the office",
    "not-neighbours": "{square} and {other} do not share a wall",
    "same-colour": "{square} and {other} have the same colour",
    "not-a-group": "the cubicles to shift do not hang together",
    "whole-office": "the whole office cannot be shifted",
    "blocked": "the cubicle on {square} is in the way",
    "nothing-else-in-hand": "there is no other card in your hand",
    "hired-card": "{card} is being hired and cannot be exchanged",
    "discard-empty": "the discard pile is empty",
    "not-in-discard": "{card} is not in the discard pile",
    "no-project": "the other player has no incomplete project",
    "not-in-play": "{card} is not an incomplete project there",
    "no-hiring": "nobody can be hired with one of two plays",
    "must-pick-up": "first choose which project to pick up, such as: pick-up P03l",
    "must-arrange": "first put the cards back in order, such as: arrange P01d M03l",
    "nothing-to-pick-up": "there is nothing to pick up now",
    "nothing-to-arrange": "there is nothing to arrange now",
    "wrong-cards": "arrange exactly the {count} cards you looked at",
    "no-leaving": "at this table what an action completes is completed",
    "not-formed": "{card} is no project of yours that this would complete",
    "leave-limit": "only the {most} projects longest in play can be left, and {card} is not one",
    "overtime-not-in-hand": "{card} is not an Overtime card that stays in your hand",
    "overtime-used": "Overtime was already used this turn",
    "overtime-completes-nothing": "Overtime needs an action that completes a project of yours",
    # Why a move cannot be read.
    "read-length": "a move has at most {most} characters",
    "read-begin": "a move begins with place, project, quota, hire, pick-up or arrange",
    "read-use": "{word!r} is not one of place, project, quota, hire, pick-up, arrange",
    "read-hire": "{word} cannot be hired: say what it does, such as move or swap",
    "read-group": "a shift names one, two or three different squares, joined by +",
    "read-leave": "leave names each project once",
    "read-card-missing": "a card such as P05d is missing",
    "read-card": "{word!r} is not a card such as P05d or M09l",
    "read-square-missing": "a square such as E2S1 is missing",
    "read-square": "{word!r} is not a square such as E3S2, W1 or 0",
    "read-direction-missing": "a direction is missing: north, east, south or west",
    "read-direction": "{word!r} is not a direction: north, east, south or west",
    "read-distance-missing": "how many squares to shift is missing",
    "read-distance": "{word!r} is not a number of squares from 1 up",
    "read-end": "nothing may follow the move, such as {word!r}",
    "read-blank": "a blank is left in it: fill it in or take it out",
    # Events.
    "placed": "{seat} places {card} on {square}",
    "project": "{seat} starts {card} as a project",
    "quota": "{seat} meets {card} as a quota for {value}",
    "moved": "{seat} hires {card}: the cubicle on {square} moves to {to}",
    "swapped": "{seat} hires {card}: {square} and {other} change places",
    "shifted": "{seat} hires {card}: {squares} shift {distance} {direction}",
    "removed": "{seat} hires {card} and takes {taken} from {square}",
    "exchanged": "{seat} hires {card}: {laid} goes to {square}, {taken} comes to the hand",
    "took": "{seat} hires {card} and takes {taken} from the discard",
    "acquired": "{seat} hires {card} and takes over {taken}; the other player scores {value}",
    "acquired-to-hand": "{seat} hires {card} and takes {taken} into hand; the other player scores"
    " {value}",
    "hired-draw": "{seat} hires {card} for an extra card",
    "hired-two-plays": "{seat} hires {card} for two plays",
    "hired-pick-up": "{seat} hires {card}: a project must be picked up",
    "hired-look": "{seat} hires {card}",
    "hired-idle": "{seat} hires {card} for no effect",
    "looked": "{seat} looks at the top {count} of the deck{cards}",
    "arranged": "{seat} puts {count} cards back in an order of their own",
    "picked-up": "{seat} picks {card} up again",
    "completed": "{seat} completes {card} for {value}",
    "left": "{seat} leaves {card} incomplete",
    "backed": "{seat} completes {card} for {value} through the other's work",
    "crowdfunding": "{seat} scores {card} in return",
    "overtime": "{seat} uses {card}",
    "another-turn": "{seat} takes another turn",
    "drew": "{seat} draws {card}",
    "top": "the deck now shows a {colour} back",
    # Results.
    "points": "more points",
    "scored-cards": "equal points, more scored cards",
    "highest-value": "equal points and cards, the highest single value",
    "equal": "equal in everything",
    "resign": "the other player resigned",
    "flag": "the other player ran out of time",
    "agreed": "a draw was agreed",
    # Looking back.
    "why-completed": "it completes {card} for {value} at once",
    "why-quota": "it meets {card} for {value} at once",
    "why-nearer": "it leaves {card} {count} short of complete, the move made {instead}",
    "why-farther": "the move made leaves the other side's {card} {count} short of complete, this"
    " one {instead}",
    "why-begun": "it brings {card} into play, worth {value} and {count} short of complete",
    "why-begun-there": "it brings {card} into play, worth {value}, whose pattern is there already",
    "why-kept": "it uses {instead} and keeps {card} in hand",
    "truth-hand": "hidden in the other hand: {names}",
    "truth-next": "the next card of the deck was {card}",
    "brief": "Two players build one office of light and dark cubicles. In a turn you play one "
    "card: into the office by its back, as a project that asks for a pattern of cubicles, or as a "
    "manager who moves them. A project in play is scored when the office shows its pattern, "
    "and most points win.",
    "order-examples": "place P05d E2S1\n"
    "project P05d\n"
    "quota Q02l\n"
    "hire M01d move E1 W1\n"
    "hire M02d swap 0 E1\n"
    "hire M03d draw\n"
    "hire M04d shift 0+E1+E1S1 east 2\n"
    "hire M05d remove E1\n"
    "hire M06d exchange P05l E1\n"
    "hire M07d two-plays\n"
    "hire M08d take P03l\n"
    "hire M09d pick-up",
    "order-naming": "That is: the card P05d goes into the office by its back, on the square E2S1. "
    "Cards are named as on their lower edge: P05d is project 5, dark; M managers, Q quotas, l "
    "light. Squares are named by their column and row at the margins of the office, counted from "
    "the square 0: E east, W west, N north, S south. A 0 is left out: E2 lies two columns east in "
    "row 0, S1 a row south in column 0. A move is carried out as soon as it is read.",
}

GERMAN: Final = {
    "over": "Das Spiel ist zu Ende",
    "not-your-turn": "{seat} ist an der Reihe",
    "not-in-hand": "{card} ist nicht auf deiner Hand",
    "occupied": "{square} ist schon besetzt",
    "not-adjacent": "{square} hat keine Wand mit einer anderen Box gemeinsam",
    "not-a-project": "{card} ist kein Projekt",
    "not-a-quota": "{card} ist keine Quote",
    "not-a-manager": "{card} kann nicht eingestellt werden",
    "quota-not-met": "die Bedingung von {card} ist nicht erfüllt: {quota}",
    "wrong-ability": "{card} kann etwas anderes",
    "no-idling": "an diesem Tisch wird {card} nur für das eingestellt, was die Karte kann",
    "no-cubicle": "auf {square} ist keine Box",
    "breaks-office": "das Büro würde auseinanderfallen",
    "last-cubicle": "es ist die letzte Box des Büros",
    "not-neighbours": "{square} und {other} haben keine gemeinsame Wand",
    "same-colour": "{square} und {other} haben dieselbe Farbe",
    "not-a-group": "die Boxen hängen nicht zusammen",
    "whole-office": "das ganze Büro kann nicht verschoben werden",
    "blocked": "die Box auf {square} ist im Weg",
    "nothing-else-in-hand": "du hast keine andere Karte auf der Hand",
    "hired-card": "{card} wird gerade eingestellt und kann nicht getauscht werden",
    "discard-empty": "der Ablagestapel ist leer",
    "not-in-discard": "{card} liegt nicht im Ablagestapel",
    "no-project": "die andere Seite hat kein unvollendetes Projekt",
    "not-in-play": "{card} ist dort kein unvollendetes Projekt",
    "no-hiring": "mit einer der zwei Karten kann niemand eingestellt werden",
    "must-pick-up": "wähle zuerst, welches Projekt zurückgeht, etwa: pick-up P03l",
    "must-arrange": "lege zuerst die Karten zurück, etwa: arrange P01d M03l",
    "nothing-to-pick-up": "es gibt jetzt nichts zurückzunehmen",
    "nothing-to-arrange": "es gibt jetzt nichts zu ordnen",
    "wrong-cards": "ordne genau die {count} angesehenen Karten",
    "no-leaving": "an diesem Tisch wird vollendet, was eine Aktion vollendet",
    "not-formed": "{card} ist kein eigenes Projekt, das damit vollendet würde",
    "leave-limit": "nur die {most} ältesten Projekte im Spiel können unvollendet bleiben, {card}"
    " gehört nicht dazu",
    "overtime-not-in-hand": "{card} ist keine Überstundenkarte, die auf deiner Hand bleibt",
    "overtime-used": "in diesem Zug wurden schon Überstunden gemacht",
    "overtime-completes-nothing": "Überstunden brauchen ein eigenes vollendetes Projekt",
    "read-length": "ein Zug hat höchstens {most} Zeichen",
    "read-begin": "ein Zug beginnt mit place, project, quota, hire, pick-up oder arrange",
    "read-use": "{word!r} ist keines von place, project, quota, hire, pick-up, arrange",
    "read-hire": "{word} kann nicht eingestellt werden: sag, was die Karte tut, etwa move oder"
    " swap",
    "read-group": "ein shift nennt ein, zwei oder drei verschiedene Felder, verbunden durch +",
    "read-leave": "leave nennt jedes Projekt einmal",
    "read-card-missing": "eine Karte wie P05d fehlt",
    "read-card": "{word!r} ist keine Karte wie P05d oder M09l",
    "read-square-missing": "ein Feld wie E2S1 fehlt",
    "read-square": "{word!r} ist kein Feld wie E3S2, W1 oder 0",
    "read-direction-missing": "eine Richtung fehlt: north, east, south oder west",
    "read-direction": "{word!r} ist keine Richtung: north, east, south oder west",
    "read-distance-missing": "es fehlt, um wie viele Felder geschoben wird",
    "read-distance": "{word!r} ist keine Zahl von Feldern ab 1",
    "read-end": "nach dem Zug darf nichts kommen, auch nicht {word!r}",
    "read-blank": "eine Lücke ist geblieben: füll sie aus oder nimm sie heraus",
    "placed": "{seat} legt {card} auf {square}",
    "project": "{seat} beginnt Projekt {card}",
    "quota": "{seat} erfüllt Quote {card} für {value}",
    "moved": "{seat} stellt {card} ein: die Box von {square} zieht nach {to}",
    "swapped": "{seat} stellt {card} ein: {square} und {other} tauschen",
    "shifted": "{seat} stellt {card} ein: {squares} rücken {distance} nach {direction}",
    "removed": "{seat} stellt {card} ein und nimmt {taken} von {square}",
    "exchanged": "{seat} stellt {card} ein: {laid} kommt auf {square}, {taken} auf die Hand",
    "took": "{seat} stellt {card} ein und nimmt {taken} aus der Ablage",
    "acquired": "{seat} stellt {card} ein und übernimmt {taken}; die andere Seite erhält {value}",
    "acquired-to-hand": "{seat} stellt {card} ein und nimmt {taken} auf die Hand; die andere Seite"
    " erhält {value}",
    "hired-draw": "{seat} stellt {card} für eine weitere Karte ein",
    "hired-two-plays": "{seat} stellt {card} für zwei Karten ein",
    "hired-pick-up": "{seat} stellt {card} ein: ein Projekt muss zurück auf die Hand",
    "hired-look": "{seat} stellt {card} ein",
    "hired-idle": "{seat} stellt {card} ohne Wirkung ein",
    "looked": "{seat} sieht die obersten {count} Karten an{cards}",
    "arranged": "{seat} legt {count} Karten in eigener Ordnung zurück",
    "picked-up": "{seat} nimmt {card} zurück",
    "completed": "{seat} vollendet {card} für {value}",
    "left": "{seat} lässt {card} unvollendet",
    "backed": "{seat} vollendet {card} für {value} durch fremde Arbeit",
    "crowdfunding": "{seat} erhält dafür {card}",
    "overtime": "{seat} macht Überstunden mit {card}",
    "another-turn": "{seat} hat noch einen Zug",
    "drew": "{seat} zieht {card}",
    "top": "oben liegt jetzt ein {colour} Rücken",
    "points": "mehr Punkte",
    "scored-cards": "gleiche Punkte, mehr gewertete Karten",
    "highest-value": "gleiche Punkte und Karten, höchster Einzelwert",
    "equal": "in allem gleich",
    "resign": "die andere Seite hat aufgegeben",
    "flag": "die Zeit der anderen Seite ist abgelaufen",
    "agreed": "Remis vereinbart",
    "why-completed": "er vollendet sofort {card} für {value}",
    "why-quota": "er erfüllt sofort {card} für {value}",
    "why-nearer": "{card} fehlen danach {count} Boxen, nach dem gespielten Zug {instead}",
    "why-farther": "dem Projekt {card} der anderen Seite fehlen nach dem gespielten Zug {count}"
    " Boxen, nach diesem {instead}",
    "why-begun": "er bringt {card} ins Spiel, {value} wert; es fehlen {count} Boxen",
    "why-begun-there": "er bringt {card} ins Spiel, {value} wert, dessen Muster schon da liegt",
    "why-kept": "er verbraucht {instead} und behält {card} auf der Hand",
    "truth-hand": "verdeckt auf der anderen Hand: {names}",
    "truth-next": "die nächste Karte des Stapels war {card}",
    "brief": "Zwei bauen an einem Büro aus hellen und dunklen Boxen. Wer dran ist, spielt eine "
    "Karte: mit der Rückseite ins Büro, als Projekt, das ein Muster von Boxen verlangt, oder als "
    "Vorgesetzten, der sie verschiebt. Ein Projekt wird gewertet, sobald das Büro sein Muster "
    "zeigt; die meisten Punkte gewinnen.",
    "order-examples": "legen P05d auf E2S1\n"
    "Projekt P05d\n"
    "Quote Q02l\n"
    "einstellen M01d E1 nach W1\n"
    "einstellen M02d 0 E1\n"
    "einstellen M03d\n"
    "einstellen M04d 0+E1+E1S1 Osten 2\n"
    "einstellen M05d E1\n"
    "einstellen M06d P05l E1\n"
    "einstellen M07d\n"
    "einstellen M08d P03l\n"
    "einstellen M09d",
    "order-naming": "Das heißt: Die Karte P05d kommt mit der Rückseite ins Büro, auf das Feld "
    "E2S1. Karten heißen wie an ihrem unteren Rand: P05d ist Projekt 5, dunkel; M "
    "Vorgesetzte, Q Quoten, l hell. Felder heißen nach Spalte und Zeile am Rand "
    "des Büros, vom Feld 0 aus gezählt: E oder O nach Osten, W nach Westen, N "
    "nach Norden, S nach Süden. Eine 0 entfällt: E2 liegt zwei Spalten östlich in "
    "Zeile 0, S1 eine Zeile südlich in Spalte 0. Ein Zug wird ausgeführt, sobald "
    "er gelesen ist.",
}

LANGUAGES: Final = {"en": ENGLISH, "de": GERMAN}
_BACKS: Final = {
    "en": {"dark": "a dark card", "light": "a light card"},
    "de": {"dark": "eine dunkle Karte", "light": "eine helle Karte"},
}
_COLOURS: Final = {
    "en": {"dark": "dark", "light": "light"},
    "de": {"dark": "dunkler", "light": "heller"},
}
_DIRECTIONS: Final[dict[str, dict[str, str]]] = {
    "en": {},
    "de": {"north": "Norden", "east": "Osten", "south": "Süden", "west": "Westen"},
}
_QUOTA: Final = {
    "en": {
        "three-of-colour": "three cards of its colour and no other in hand",
        "five-in-hand": "five cards in hand",
        "more-scored": "more scored cards than the other player",
        "only-card": "no other card in hand",
        "fewer-scored": "fewer scored cards than the other player",
    },
    "de": {
        "three-of-colour": "drei Karten ihrer Farbe und keine andere auf der Hand",
        "five-in-hand": "fünf Karten auf der Hand",
        "more-scored": "mehr gewertete Karten als die andere Seite",
        "only-card": "keine andere Karte auf der Hand",
        "fewer-scored": "weniger gewertete Karten als die andere Seite",
    },
}

PAD: Final = {
    "en": ("Projects", "Quotas", "Other cards"),
    "de": ("Projekte", "Quoten", "Andere Karten"),
}
KEY: Final = (
    "HR-2.1", "HR-2.2", "HR-2.3", "HR-3.1", "HR-3.2", "HR-4.1", "HR-5.1", "HR-5.2", "HR-5.3",
    "HR-5.4", "HR-6.1", "HR-6.2", "HR-7.1", "HR-9.1", "HR-9.2",
)  # fmt: skip
"""The clauses that a player looks up most."""
PICTURE: Final = {
    "en": {
        "office": "office",
        "dark": "dark",
        "light": "light",
        "free": "free",
        "hand": "{seat} hand",
        "in play": "{seat} in play",
        "scored": "{seat} scored",
        "deck": "deck",
        "discard": "discard",
        "point": "{count} point",
        "points": "{count} points",
        "card": "{count} card",
        "cards": "{count} cards",
        "over": "The game is over.",
        "choice": "{seat} chooses a project to pick up.",
        "arranging": "{seat} arranges the top {count} cards of the deck.",
        "one-play": "{seat} plays one more card.",
        "two-plays": "{seat} plays two more cards.",
        "to-play": "{seat} to play.",
    },
    "de": {
        "office": "Büro",
        "dark": "dunkel",
        "light": "hell",
        "free": "frei",
        "hand": "Hand von {seat}",
        "in play": "Im Spiel von {seat}",
        "scored": "Gewertet von {seat}",
        "deck": "Stapel",
        "discard": "Ablage",
        "point": "{count} Punkt",
        "points": "{count} Punkte",
        "card": "{count} Karte",
        "cards": "{count} Karten",
        "over": "Das Spiel ist zu Ende.",
        "choice": "{seat} wählt, welches Projekt zurück auf die Hand geht.",
        "arranging": "{seat} ordnet die obersten {count} Karten des Stapels.",
        "one-play": "{seat} spielt noch eine Karte.",
        "two-plays": "{seat} spielt noch zwei Karten.",
        "to-play": "{seat} ist am Zug.",
    },
}
"""What stands in the picture of a table."""

_ABILITY: Final = {
    "en": {
        "move": "Move one cubicle to another free square of the office.",
        "swap": "Two neighbouring cubicles of different colours change places.",
        "draw": "Draw one more card.",
        "shift": "Slide up to three connected cubicles in one direction.",
        "remove": "Take a cubicle into your hand.",
        "exchange": "A card from your hand replaces a cubicle, which you take.",
        "two-plays": "Play two more cards; nobody is hired with them.",
        "take": "Take any card from the discard pile.",
        "pick-up": "The other player takes a project of theirs back to hand.",
        "crowdfunding": "In play, it lets the other's work complete your project; they score it.",
        "overtime": "Stays in hand until you complete a project: then take another turn.",
        "acquisitions": "Take over a project of the other player, who scores this card.",
        "operations": "Look at the top four cards and put them back in any order.",
    },
    "de": {
        "move": "Versetze eine Box auf ein anderes freies Feld des Büros.",
        "swap": "Zwei benachbarte Boxen verschiedener Farbe tauschen.",
        "draw": "Zieh noch eine Karte.",
        "shift": "Schieb bis zu drei verbundene Boxen in eine Richtung.",
        "remove": "Nimm eine Box auf die Hand.",
        "exchange": "Eine Karte deiner Hand ersetzt eine Box, die du nimmst.",
        "two-plays": "Spiel noch zwei Karten; mit ihnen wird niemand eingestellt.",
        "take": "Nimm eine beliebige Karte aus der Ablage.",
        "pick-up": "Die andere Seite nimmt ein eigenes Projekt zurück auf die Hand.",
        "crowdfunding": "Im Spiel lässt sie fremde Arbeit dein Projekt vollenden; dafür zählt"
        " sie drüben.",
        "overtime": "Bleibt auf der Hand, bis du ein Projekt vollendest: dann noch ein Zug.",
        "acquisitions": "Übernimm ein Projekt der anderen Seite, die diese Karte wertet.",
        "operations": "Sieh die obersten vier Karten an und leg sie beliebig zurück.",
    },
}


def spoken_in(language: str) -> str:
    """This language, or the one in which everything can be said."""
    return language if language in LANGUAGES else "en"


def quota_text(quota: str, language: str = "en") -> str:
    return _QUOTA[spoken_in(language)][quota]


def ability_text(ability: str, language: str = "en") -> str:
    return _ABILITY[spoken_in(language)].get(ability, "")


def why_unread(said: str, params: Mapping[str, object], text: str) -> dict[str, str]:
    """Why something cannot be read, in every language, and what was written."""
    return {
        language: sentences[said].format_map(params) + (f": {text!r}" if text else "")
        for language, sentences in LANGUAGES.items()
    }


def say(code: str, params: Mapping[str, object], language: str = "en") -> str:
    """The sentence. A card that its reader cannot see appears by its back."""
    language = spoken_in(language)
    sentences = LANGUAGES[language]
    spoken: dict[str, object] = {}
    for name, value in params.items():
        if name == "quota":
            spoken[name] = quota_text(str(value), language)
        elif name == "colour":
            spoken[name] = _COLOURS[language].get(str(value), value)
        elif name == "direction":
            spoken[name] = _DIRECTIONS[language].get(str(value), value)
        elif name == "cards":
            spoken[name] = f": {value}" if value else ""
        elif name == "squares" and isinstance(value, tuple):
            spoken[name] = "+".join(str(square) for square in value)
        elif isinstance(value, str) and name in ("card", "laid", "taken"):
            spoken[name] = _BACKS[language].get(value, value)
        else:
            spoken[name] = value
    return sentences[code].format_map(spoken)
