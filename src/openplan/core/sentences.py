"""Sentences for people in every language we speak. Those of the engine, the server and mail stand
in `sentences/<language>.toml`, a section for each speaker; a game has the words of its own.

What only a faulty record, deck or program can bring about is said in English where it is found.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final, TypeVar

LANGUAGES: Final = ("en", "de")
"""Those we speak; in the first everything can be said."""

Error = TypeVar("Error")


def spoken_in(language: str) -> str:
    """`de` for `de-AT`; English for what is not spoken here."""
    short = language.partition("-")[0].lower()
    return short if short in LANGUAGES else LANGUAGES[0]


class Sentences:
    """What is said, per language: the same sentences in each."""

    def __init__(self, languages: Mapping[str, Mapping[str, str]]) -> None:
        self.languages = languages

    @classmethod
    def of(cls, *sections: str) -> Sentences:
        """Those that the catalogues have in these sections."""
        return cls(
            {
                language: {
                    said: sentence
                    for section in sections
                    for said, sentence in _catalogue(language)[section].items()
                }
                for language in LANGUAGES
            }
        )

    def say(self, said: str, params: Mapping[str, object], language: str = "en") -> str:
        return self.languages[spoken_in(language)][said].format_map(params)

    def refused(
        self,
        kind: Callable[..., Error],
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


@cache
def _catalogue(language: str) -> dict[str, dict[str, str]]:
    file = files("openplan") / "sentences" / f"{language}.toml"
    return tomllib.loads(file.read_text("utf-8"))


refused: Final = Sentences.of("core").refused
