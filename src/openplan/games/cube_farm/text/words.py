"""The sentences for refusals, events and results, per language, for page, letter and terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final = {
    # Why orders are refused, or a placement is lost.
    "over": "the game is over",
    "no-orders-from-here": "only a department that is still playing gives orders",
    "unreadable": "the orders cannot be read",
    "unknown-card": "there is no card {card} in this deck",
    "not-in-hand": "card {card} is not in your hand",
    "named-twice": "card {card} is named in an earlier phase already",
    "never-possible": "{square} is too far away to touch anything this turn",
    "covered": "{at} is covered already",
    "not-touching": "it would touch nothing that lies there",
    "too-long": "the floor would become longer than any floor can be",
    "two-occupants": "one cube would hold two who cannot share it",
    "second-vp": "this floor has its VP already, at {at}",
    "no-cube": "{square} is not part of a cube",
    "taken": "the cube at {square} is taken by {by}",
    "negative": "the cube at {square} belongs to a VP or a receptionist",
    "no-walk": "no walk leads from the cube at {square} to an elevator",
    "with-card": "the card of that phase cannot be placed",
    "with-employee": "the employee of that phase cannot be placed",
    # What a new order for a phase does to the one that was held.
    "employee-back": "the employee held for phase {phase} at {square} is taken back; to keep it,"
    " write both in one line",
    "card-back": "the card held for phase {phase}, number {card}, is taken back; to keep it, write"
    " both in one line",
    # Why orders cannot be read.
    "read-length": "orders have at most {most} characters",
    "read-nothing": "orders are missing; to place nothing write {word!r}",
    "read-before": "{word!r} comes before any phase, such as '1: card'",
    "read-two-cards": "two cards in one phase",
    "read-two-employees": "two employees in one phase",
    "read-neither": "{word!r} is neither 'card' nor 'employee'",
    "read-phase": "{word!r} is not a phase: 1, 2 or 3",
    "read-phase-twice": "phase {word} is ordered twice",
    "read-card": "{word!r} is not a card's number",
    "read-turn": "{word!r} is not a number of quarter turns from 0 to 3",
    "read-square-missing": "a square such as E3S2 is missing",
    "read-square": "{word!r} is not a square such as E3S2, W1 or 0",
    "read-distance": "{word} is not part of a square such as E3S2",
    "read-blank": "a blank is left in it: fill it in or take it out",
    "read-doubtful": "is the number a phase or a turn? Write '1:' for a phase and 'turn 1' for a"
    " turn",
    # Events.
    "orders": "{seat} ordered: {orders}",
    "no-orders": "{seat} sent no orders",
    "placed-card": "phase {phase}, {floor}: {seat} places card {card} at {square}{turned}",
    "lost-card": "phase {phase}, {floor}: {seat} loses card {card} at {square}: {why}{spent}",
    "employed": "phase {phase}, {floor}: {seat} puts an employee into the cube at {square}",
    "lost-employee": "phase {phase}, {floor}: {seat} loses the employee at {square}: {why}",
    "joined": "{floor}: {squares} are one cube now",
    "filled": "{floor}: {squares} become floor",
    "imagined": "phase {phase}, {floor}: {part} lost in {lost} of {of} imagined turns, for"
    " {before} comes first",
    "dealt": "{seat} receives {count} cards{cards}",
    "turn": "turn {turn} begins",
    "employee-scored": "{floor}: {seat} at {square} brings {total}: {base} for room{told}",
    "scored": "the game is scored: {points}",
    # Results.
    "points": "the highest total",
    "all-gone": "everybody has left",
    "agreed": "a draw was agreed",
    # Looking back.
    "why-forecast": "on the floors as they stood it was good for {score}, the orders made for"
    " {instead}",
    "why-safer": "others would have spoilt {percent}% of it on their floors, of the orders made"
    " {instead}%",
    "truth-hand": "{seat} had in hand: {names}",
    "brief": "Three departments share a building of three floors. Each turn everybody orders in "
    "secret, for each of three phases, a card that widens a floor and an employee for a cube; "
    "all orders are opened at once and carried out phase by phase. After five turns every "
    "employee brings points for room, for the machines within reach of the cube, and loses "
    "some near a boss. The highest sum wins.",
    "order-examples": "1: card 23 E3S2 turn 1 employee E4S2\n"
    "2: card 17 N2\n"
    "3: employee E1\n"
    "2: nothing",
    "order-naming": "That is: in the first phase card 23 lies with its north-west square on E3S2 "
    "after one quarter turn clockwise, and an employee goes into the cube at E4S2. Squares are "
    "named by their column and row at the margins of the floor, counted from the square 0: E east, "
    "W west, N north, S south. A 0 is left out: E3 lies three columns east in row 0, S2 two rows "
    "south in column 0. A card is turned clockwise by 0 to 3 quarters; its square is always the "
    "north-west one after turning. A phase may have a card, an employee, both or none.",
}

GERMAN: Final = {
    "over": "Das Spiel ist zu Ende",
    "no-orders-from-here": "nur eine Abteilung, die noch mitspielt, gibt Befehle",
    "unreadable": "die Befehle sind nicht lesbar",
    "unknown-card": "in diesem Stapel gibt es keine Karte {card}",
    "not-in-hand": "Karte {card} ist nicht auf deiner Hand",
    "named-twice": "Karte {card} ist schon in einer früheren Phase genannt",
    "never-possible": "{square} ist zu weit weg, um in dieser Runde anzuliegen",
    "covered": "{at} ist schon bedeckt",
    "not-touching": "sie würde nichts berühren, was dort liegt",
    "too-long": "das Stockwerk würde länger, als eines werden kann",
    "two-occupants": "eine Box hätte zwei, die sie nicht teilen können",
    "second-vp": "dieses Stockwerk hat schon seinen VP, auf {at}",
    "no-cube": "{square} gehört zu keiner Box",
    "taken": "die Box auf {square} gehört schon {by}",
    "negative": "die Box auf {square} gehört einem VP oder Empfang",
    "no-walk": "von der Box auf {square} führt kein Weg zu einem Aufzug",
    "with-card": "die Karte dieser Phase kann nicht gelegt werden",
    "with-employee": "die Box dieser Phase kann nicht besetzt werden",
    "employee-back": "wer für Phase {phase} auf {square} vorgesehen war, wird zurückgenommen; um"
    " beides zu behalten, schreib es in eine Zeile",
    "card-back": "die Karte {card}, die für Phase {phase} vorlag, wird zurückgenommen; um beides zu"
    " behalten, schreib es in eine Zeile",
    "read-length": "Befehle haben höchstens {most} Zeichen",
    "read-nothing": "die Befehle fehlen; um nichts zu legen, schreib {word!r}",
    "read-before": "{word!r} steht vor jeder Phase; eine beginnt etwa mit '1: card'",
    "read-two-cards": "zwei Karten in einer Phase",
    "read-two-employees": "zwei Angestellte in einer Phase",
    "read-neither": "{word!r} ist weder 'card' noch 'employee'",
    "read-phase": "{word!r} ist keine Phase: 1, 2 oder 3",
    "read-phase-twice": "Phase {word} ist zweimal befohlen",
    "read-card": "{word!r} ist keine Kartennummer",
    "read-turn": "{word!r} ist keine Zahl von Vierteldrehungen von 0 bis 3",
    "read-square-missing": "ein Feld wie E3S2 fehlt",
    "read-square": "{word!r} ist kein Feld wie E3S2, W1 oder 0",
    "read-distance": "{word} ist kein Teil eines Feldes wie E3S2",
    "read-blank": "eine Lücke ist geblieben: füll sie aus oder nimm sie heraus",
    "read-doubtful": "ist die Zahl eine Phase oder eine Drehung? Schreib '1:' für eine Phase und"
    " 'turn 1' für eine Drehung",
    "orders": "{seat} befahl: {orders}",
    "no-orders": "{seat} schickte keine Befehle",
    "placed-card": "Phase {phase}, {floor}: {seat} legt Karte {card} auf {square}{turned}",
    "lost-card": "Phase {phase}, {floor}: {seat} kann Karte {card} nicht auf {square} legen:"
    " {why}{spent}",
    "employed": "Phase {phase}, {floor}: {seat} setzt jemanden in die Box auf {square}",
    "lost-employee": "Phase {phase}, {floor}: {seat} kann {square} nicht besetzen: {why}",
    "joined": "{floor}: {squares} sind jetzt eine Box",
    "filled": "{floor}: {squares} werden Boden",
    "imagined": "Phase {phase}, {floor}: {part} in {lost} von {of} durchgespielten Runden verloren,"
    " denn {before} kommt zuerst",
    "dealt": "{seat} erhält {count} Karten{cards}",
    "turn": "Runde {turn} beginnt",
    "employee-scored": "{floor}: {seat} auf {square} bringt {total}: {base} für Platz{told}",
    "scored": "das Spiel wird gewertet: {points}",
    "points": "die höchste Summe",
    "all-gone": "alle sind gegangen",
    "agreed": "Remis vereinbart",
    "why-forecast": "auf den Stockwerken, wie sie standen, brachte es {score}, die gegebenen Züge"
    " {instead}",
    "why-safer": "andere hätten auf ihren Stockwerken {percent}% davon verdorben, von den gegebenen"
    " Zügen {instead}%",
    "truth-hand": "{seat} hatte auf der Hand: {names}",
    "brief": "Drei Abteilungen teilen sich ein Gebäude mit drei Stockwerken. In jeder Runde plant "
    "jede geheim für drei Phasen je eine Karte, die ein Stockwerk erweitert, und einen "
    "Angestellten für eine Box; alle Züge werden zugleich geöffnet und Phase für Phase "
    "ausgeführt. Nach fünf Runden bringt jeder Angestellte Punkte für Platz und für die "
    "Geräte in Reichweite und verliert welche in der Nähe von Vorgesetzten. Die höchste Summe "
    "gewinnt.",
    "order-examples": "1: Karte 23 E3S2 drehen 1 Mitarbeiter E4S2\n"
    "2: Karte 17 N2\n"
    "3: Mitarbeiter E1\n"
    "2: nichts",
    "order-naming": "Das heißt: In der ersten Phase liegt Karte 23 mit ihrem nordwestlichen Feld "
    "auf E3S2, einmal um ein Viertel im Uhrzeigersinn gedreht, und ein Mitarbeiter kommt in die "
    "Box auf E4S2. Felder heißen nach Spalte und Zeile am Rand des Stockwerks, vom Feld 0 aus "
    "gezählt: E oder O nach Osten, W nach Westen, N nach Norden, S nach Süden. Eine 0 entfällt: E3 "
    "liegt drei Spalten östlich in Zeile 0, S2 zwei Zeilen südlich in Spalte 0. Eine Karte wird um "
    "0 bis 3 Viertel im Uhrzeigersinn gedreht; ihr Feld ist immer das nordwestliche nach dem "
    "Drehen. In einer Phase darf es eine Karte, ein Mitarbeiter, beides oder nichts sein.",
}

LANGUAGES: Final = {"en": ENGLISH, "de": GERMAN}

FLOOR_NAMES: Final = {
    "en": {"top": "top floor", "middle": "middle floor", "basement": "basement"},
    "de": {"top": "oberes Stockwerk", "middle": "mittleres Stockwerk", "basement": "Keller"},
}
DEPARTMENTS: Final = {
    "en": ("Sales & Marketing", "Product Development", "Support & Training"),
    "de": ("Vertrieb & Marketing", "Produktentwicklung", "Support & Schulung"),
}
PICTURE: Final = {
    "en": {
        "top": "Top floor, home of {seat}",
        "middle": "Middle floor, home of {seat}",
        "basement": "Basement, home of {seat}",
        "hand": "{seat} hand",
        "card": "{count} card",
        "cards": "{count} cards",
        "turn": "Turn {turn} of {turns}.",
        "sent": "Orders are in from {seats}.",
        "spent": "Spent cards: {cards}.",
        "over": "The game is over.",
        "key": "S, P, T: somebody of that department in a cube, * the rest of that cube,"
        " # a free cube, . floor, lines are walls.",
    },
    "de": {
        "top": "Oberes Stockwerk, zu Hause: {seat}",
        "middle": "Mittleres Stockwerk, zu Hause: {seat}",
        "basement": "Keller, zu Hause: {seat}",
        "hand": "Hand von {seat}",
        "card": "{count} Karte",
        "cards": "{count} Karten",
        "turn": "Runde {turn} von {turns}.",
        "sent": "Befehle sind da von {seats}.",
        "spent": "Verbrauchte Karten: {cards}.",
        "over": "Das Spiel ist zu Ende.",
        "key": "S, P, T: jemand dieser Abteilung in einer Box, * der Rest dieser Box,"
        " # eine freie Box, . Boden, Linien sind Wände.",
    },
}
"""What stands in the picture of a table."""
LOSSES: Final = (
    *("covered", "not-touching", "too-long", "two-occupants", "second-vp"),
    *("no-cube", "taken", "negative", "no-walk", "with-card", "with-employee"),
    *("not-in-hand", "named-twice", "never-possible"),
)
"""Why an order comes to nothing; of the last three the phase is named where they stand alone."""
_IN_PHASE: Final = {"en": "phase {phase}: ", "de": "Phase {phase}: "}
_OF_A_PHASE: Final = ("unknown-card", *LOSSES[-3:])
_WARNING: Final = {
    "en": "phase {phase}, {floor}, as it stands: {sentence}",
    "de": "Phase {phase}, {floor}, wie es jetzt ist: {sentence}",
}
_PART: Final = {
    "en": {
        "bonus": "{points:+} {what} at {square}, steps: {steps}",
        "penalty": "{points:+} {what} at {square}, steps: {steps}",
        "extra": "{points:+} for being nearest to the {what} at {square}",
    },
    "de": {
        "bonus": "{points:+} {what} auf {square}, Schritte: {steps}",
        "penalty": "{points:+} {what} auf {square}, Schritte: {steps}",
        "extra": "{points:+} für die größte Nähe: {what} auf {square}",
    },
}
_ORDERED: Final = {
    "en": {"card": "the card", "employee": "the employee"},
    "de": {"card": "die Karte", "employee": "der Angestellte"},
}
_SPENT: Final = {"en": "; the card is spent", "de": "; die Karte ist verbraucht"}
_TURNED: Final = {"en": ", turned {turn}", "de": ", {turn} mal gedreht"}

LETTERS: Final = {
    "en": {
        "phase": "Phase",
        "nth": "first phase|second phase|third phase",
        "card": "number {card} with its north-west square on {square}, {turned}",
        "turns": "as printed|turned once|turned twice|turned three times",
        "employee": "somebody into the cube on {square}",
        "empty": "no card and nobody",
        "form-card": "card ____ at ____ turn 0",
        "form-employee": "employee ____",
    },
    "de": {
        "phase": "Phase",
        "nth": "erste Phase|zweite Phase|dritte Phase",
        "card": "Nummer {card} mit der Nordwestecke auf {square}, {turned}",
        "turns": "wie gedruckt|einmal gedreht|zweimal gedreht|dreimal gedreht",
        "employee": "jemand in die Box auf {square}",
        "empty": "keine Karte und niemand",
        "form-card": "Karte ____ auf ____ drehen 0",
        "form-employee": "Mitarbeiter ____",
    },
}
"""For letters: orders that were sent, in words that do not read as orders."""

KINDS: Final = {
    "en": {
        "photocopier": "photocopier",
        "shredder": "shredder",
        "laser-printer": "laser printer",
        "fax-machine": "fax machine",
        "supply-cabinet": "supply cabinet",
        "coffee-machine": "coffee machine",
        "soda-machine": "soda machine",
        "candy-machine": "candy machine",
        "water-cooler": "water cooler",
        "vp": "VP",
        "receptionist": "receptionist",
        "elevator": "elevator",
        "cube": "cube",
        "floor": "floor",
        "filled": "filled floor",
    },
    "de": {
        "photocopier": "Kopierer",
        "shredder": "Aktenvernichter",
        "laser-printer": "Laserdrucker",
        "fax-machine": "Fax",
        "supply-cabinet": "Materialschrank",
        "coffee-machine": "Kaffeemaschine",
        "soda-machine": "Getränkeautomat",
        "candy-machine": "Süßigkeitenautomat",
        "water-cooler": "Wasserspender",
        "vp": "VP",
        "receptionist": "Empfang",
        "elevator": "Aufzug",
        "cube": "Box",
        "floor": "Boden",
        "filled": "gefüllter Boden",
    },
}


def spoken_in(language: str) -> str:
    """This language, or the one in which everything can be said."""
    return language if language in LANGUAGES else "en"


def why_unread(said: str, params: Mapping[str, object], phase: int, text: str) -> dict[str, str]:
    """Why something cannot be read, in every language: the phase, if one was named, and what was
    written."""
    return {
        language: (_IN_PHASE[language].format(phase=phase) if phase else "")
        + sentences[said].format_map(params)
        + (f": {text!r}" if text else "")
        for language, sentences in LANGUAGES.items()
    }


def say(code: str, params: Mapping[str, object], language: str = "en") -> str:
    """The sentence. What its reader cannot see is simply left out."""
    language = spoken_in(language)
    sentences = LANGUAGES[language]
    spoken: dict[str, object] = dict(params)
    if "floor" in params:
        spoken["floor"] = FLOOR_NAMES[language][str(params["floor"])]
    if "turn" in params and code == "placed-card":
        turned = _TURNED[language].format(turn=params["turn"])
        spoken["turned"] = turned if params["turn"] else ""
    if code == "imagined":
        spoken["part"] = _ORDERED[language][str(params["part"])]
        spoken["before"] = ", ".join(str(seat) for seat in _listed(params["before"]))
    if code == "lost-card":
        spoken["spent"] = _SPENT[language] if params.get("spent") else ""
    if "cards" in params:
        spoken["cards"] = f": {params['cards']}" if params["cards"] else ""
    if isinstance(params.get("squares"), tuple | list):
        spoken["squares"] = " ".join(str(square) for square in _listed(params["squares"]))
    if isinstance(params.get("points"), Mapping):
        pairs = _pairs(params["points"])
        spoken["points"] = ", ".join(f"{seat} {points}" for seat, points in pairs)
    if code == "employee-scored":
        spoken["told"] = "".join(f"; {_part(part, language)}" for part in _listed(params["parts"]))
    if "reason" in params and code.startswith("lost-"):
        spoken["why"] = sentences[str(params["reason"])].format_map(spoken)
    sentence = sentences[code].format_map(spoken)
    if code in _OF_A_PHASE:
        sentence = _IN_PHASE[language].format_map(spoken) + sentence
    return (
        _WARNING[language].format(sentence=sentence, **spoken) if "warning" in params else sentence
    )


def words_of_the_page() -> dict[str, dict[str, dict[str, str]]]:
    """What the browser says in the same words as letters: why something is lost, and what stands on
    a square."""
    return {
        "why": {name: {code: said[code] for code in LOSSES} for name, said in LANGUAGES.items()},
        "kinds": KINDS,
    }


def _part(part: object, language: str) -> str:
    """One bonus, penalty or extra of a score."""
    assert isinstance(part, Mapping)
    what = KINDS[language][str(part["what"])]
    return _PART[language][str(part["kind"])].format_map({**part, "what": what})


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, tuple | list) else []


def _pairs(value: object) -> list[tuple[object, object]]:
    return list(value.items()) if isinstance(value, Mapping) else []
