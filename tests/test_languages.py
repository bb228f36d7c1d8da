"""Every language is whole or absent: cards, rules pages, sentences."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest

from openplan.core.game import AnyGame
from openplan.core.registry import all_games
from openplan.core.sentences import LANGUAGES
from openplan.decks import load_deck, shipped

SOURCES = Path(__file__).parents[1] / "src" / "openplan"
CATALOGUES = {
    language: tomllib.loads((files("openplan") / "sentences" / f"{language}.toml").read_text())
    for language in LANGUAGES
}
SECTIONS = (
    "core",
    "server",
    "verdicts",
    "answers",
    "letters",
    "enclosures",
    "account",
    "previews",
    "telling",
    "printing",
    "review",
)
MADE_OF = re.compile(
    r"^(act|entry|notice|subject|master|to)-|-(move|moves|subject|open|nothing|person|title|text)$"
)
"""What letters put before or behind the code of what happened."""
GAMES = [pytest.param(game, id=name) for name, game in sorted(all_games().items())]
OTHERS = LANGUAGES[1:]
RULES = Path(__file__).parents[1] / "docs" / "rules"
MARK = re.compile(r'<a id="[^"]+"></a>|^## |`[^`]+`|\b[A-Z]{2}-[0-9.]*[0-9]\b', re.MULTILINE)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_card_of_a_shipped_deck_has_its_words(game: AnyGame, language: str) -> None:
    for name in shipped(game):
        deck = load_deck(game, name)
        known = deck.translations[language]
        assert set(known.cards) == set(deck.cards)
        assert known.title != deck.title
        for card in deck.cards:
            english, told = (game.card_picture(deck, card, one) for one in ("en", language))
            assert told.title == known.cards[card][0]
            assert told.quip not in ("", english.quip), card
            assert (told.value, told.drawing) == (english.value, english.drawing)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_card_is_called_elsewhere_changes_no_deck(game: AnyGame) -> None:
    """A match is frozen to the deck file; old records find the deck by its hash."""
    for name in shipped(game):
        deck = load_deck(game, name)
        assert deck.hash == game.read_deck((decks_of(game) / f"{name}.toml").read_text(), "x").hash


def decks_of(game: AnyGame) -> Path:
    return Path(__file__).parents[1] / "src" / "openplan" / "decks" / game.name


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_page_says_the_same_in_every_language(game: AnyGame, language: str) -> None:
    """The same clauses in the same order, and in each the same clauses, options and moves named."""
    english, told = (
        (RULES / f"{game.name}{end}.md").read_text("utf-8") for end in ("", f".{language}")
    )
    for first, second in zip(paragraphs(english), paragraphs(told), strict=True):
        assert sorted(MARK.findall(first)) == sorted(MARK.findall(second)), second


def paragraphs(page: str) -> list[str]:
    return [part for part in re.split(r"\n\n+", page) if part.strip()]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("section", SECTIONS)
def test_every_sentence_is_said_in_every_language(section: str, language: str) -> None:
    """With the same things to fill in."""
    english, told = CATALOGUES["en"][section], CATALOGUES[language][section]
    assert list(told) == list(english)
    for said, sentence in english.items():
        assert blanks(told[said]) == blanks(sentence), said
        assert told[said] != sentence, said


def blanks(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_the_catalogues_hold_nothing_else() -> None:
    for catalogue in CATALOGUES.values():
        assert tuple(catalogue) == SECTIONS


@pytest.mark.parametrize("section", ["core", "server"])
def test_a_refusal_stands_once(section: str) -> None:
    """The server also says what `core` says, and says nothing of it in other words."""
    catalogue = CATALOGUES["en"]
    assert not catalogue["core"].keys() & catalogue["server"].keys()
    assert len(set(catalogue[section].values())) == len(catalogue[section])


def test_every_sentence_is_said_somewhere() -> None:
    text = "".join(file.read_text("utf-8") for file in SOURCES.rglob("*.py"))
    unsaid = [
        f"{section}.{said}"
        for section, sentences in CATALOGUES["en"].items()
        for said in sentences
        if not any(
            f"{quote}{code}{quote}" in text for code in (said, *pared(said)) for quote in ("'", '"')
        )
    ]
    assert unsaid == []


def pared(said: str) -> Iterator[str]:
    while (less := MADE_OF.sub("", said, count=1)) != said:
        yield less
        said = less
