"""Every language is whole or absent: cards, rules pages, sentences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from openplan.core.game import AnyGame
from openplan.core.refusals import LANGUAGES
from openplan.core.registry import all_games
from openplan.decks import load_deck, shipped

GAMES = [pytest.param(game, id=name) for name, game in sorted(all_games().items())]
OTHERS = LANGUAGES[1:]
RULES = Path(__file__).parents[1] / "docs" / "rules"
MARK = re.compile(r'<a id="[^"]+"></a>|^## |`[^`]+`|\b(?:HR|CF)-[0-9.]*[0-9]\b', re.MULTILINE)


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
