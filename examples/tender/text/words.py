"""The sentences for refusals, events and endings, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from openplan.core.sentences import spoken_in

ENGLISH: Final = {
    "brief": "Each round, seal a bid for the contract on top. The highest takes it.",
    "order-examples": "bid b3",
    "order-naming": "That is: you bid the card b3 of your hand.",
    "house.chatter": "Long words are allowed",
    "house.asking": "Looking ahead is allowed",
    "over": "the game is over",
    "gone": "this seat has left the game",
    "chatter": "words of {most} letters are enough at this table",
    "no-asking": "nobody asks at this table",
    "not-in-hand": "{bid} is not in your hand",
    "nothing-to-ask": "there is nothing to ask",
    "asked": "{seat} asks for the next contract: {card}",
    "bid": "{seat} bids {card}",
    "bid-nothing": "{seat} bids nothing",
    "next": "next comes {contract}",
    "contracts": "all contracts are given",
    "agreed": "agreed",
    "resign": "the others have left",
    "flag": "the others were out of time",
}
GERMAN: Final = {
    "brief": "In jeder Runde bietet jeder verdeckt auf den obersten Auftrag. Das höchste Gebot "
    "bekommt ihn.",
    "order-examples": "bid b3",
    "order-naming": "Das heißt: Du bietest die Karte b3 deiner Hand.",
    "house.chatter": "Lange Wörter sind erlaubt",
    "house.asking": "Vorausschauen ist erlaubt",
    "over": "die Partie ist zu Ende",
    "gone": "dieser Platz ist ausgeschieden",
    "chatter": "an diesem Tisch reichen Wörter mit {most} Buchstaben",
    "no-asking": "an diesem Tisch wird nicht gefragt",
    "not-in-hand": "{bid} hast du nicht auf der Hand",
    "nothing-to-ask": "es gibt nichts zu fragen",
    "asked": "{seat} fragt nach dem nächsten Auftrag: {card}",
    "bid": "{seat} bietet {card}",
    "bid-nothing": "{seat} bietet nichts",
    "next": "als Nächstes kommt {contract}",
    "contracts": "alle Aufträge sind vergeben",
    "agreed": "vereinbart",
    "resign": "die anderen sind ausgeschieden",
    "flag": "die anderen hatten keine Zeit mehr",
}
LANGUAGES: Final = {"en": ENGLISH, "de": GERMAN}


def say(code: str, params: Mapping[str, object], language: str = "en") -> str:
    if code == "bid" and not params["card"]:
        code = "bid-nothing"
    return LANGUAGES[spoken_in(language)].get(code, code).format(**params)
