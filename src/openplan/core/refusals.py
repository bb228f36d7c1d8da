"""Refusals in every language. Whoever refuses something has a catalogue of sentences, each of which
stands there once; this is how one is made into an error, and what `core` itself refuses people.

What only a faulty record, deck or program can bring about is said in English where it is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from openplan.core.game import GameError

LANGUAGES: Final = ("en", "de")
"""Those we speak; in the first everything can be said."""

Error = TypeVar("Error", bound="GameError")


class Sentences:
    """What is said, per language: the same sentences in each."""

    def __init__(self, languages: Mapping[str, Mapping[str, str]]) -> None:
        self.languages = languages

    def say(self, said: str, params: Mapping[str, object], language: str = "en") -> str:
        return self.languages[language][said].format_map(params)

    def refused(
        self,
        kind: type[Error],
        code: str,
        said: str = "",
        clause: str = "",
        /,
        **params: object,
    ) -> Error:
        """An error with this stable code, whose reason is the sentence `said`: the one named like
        the code, where a code has but one."""
        told = {language: self.say(said or code, params, language) for language in self.languages}
        return kind(code, told[LANGUAGES[0]], clause, told=told)


ENGLISH: Final = {
    "over": "the match is over",
    "paused": "the match is paused",
    "not-paused": "the match is not paused",
    "stale": "the table has changed since you looked at it",
    "not-your-turn": "it is not your turn",
    "withdrawn": "seat {seat} has already withdrawn",
    "not-yours": "only a move of your own that stands can be taken back",
    "reveals": "a move cannot be taken back once something was revealed or another acted",
    "no-change": "the table stands as it did before entry {number}",
    "no-deadline": "{title} is not adjudicated by a deadline",
    "no-substitute": "{title} has no substitutes",
    "name-length": "a name has 1 to {most} characters",
    "name-line": "a name cannot hold line breaks or other control characters",
    "unknown-game": "there is no game {name!r}; there are: {known}",
}
GERMAN: Final = {
    "over": "das Spiel ist zu Ende",
    "paused": "das Spiel steht still",
    "not-paused": "das Spiel steht nicht still",
    "stale": "der Tisch hat sich geändert, seit du ihn gesehen hast",
    "not-your-turn": "du bist nicht am Zug",
    "withdrawn": "von dem Platz {seat} spielt schon niemand mehr",
    "not-yours": "zurücknehmen lässt sich nur ein eigener Zug, der noch gilt",
    "reveals": "zurücknehmen geht nicht mehr, sobald etwas aufgedeckt wurde oder andere gezogen"
    " haben",
    "no-change": "der Tisch steht schon so wie vor dem Eintrag {number}",
    "no-deadline": "{title} wird nicht zu einer Frist ausgeführt",
    "no-substitute": "in {title} kann niemand einspringen",
    "name-length": "ein Name hat 1 bis {most} Zeichen",
    "name-line": "in einem Namen stehen keine Zeilenumbrüche oder Steuerzeichen",
    "unknown-game": "ein Spiel {name!r} gibt es nicht; es gibt: {known}",
}
SENTENCES: Final = Sentences({"en": ENGLISH, "de": GERMAN})
refused: Final = SENTENCES.refused
