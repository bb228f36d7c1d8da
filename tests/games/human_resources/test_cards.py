"""Decks as data (HR-11): what a deck file must be, and a clear fault for everything else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from openplan.core.deck import DeckError
from openplan.games.human_resources.cards import NAMES, PROJECT_VALUES, OfficeDeck, orientations
from openplan.games.human_resources.game import GAME
from tests.brute_force.compare import shipped_deck

HOUSE = Path(__file__).parents[3] / "src/openplan/decks/human-resources/house.toml"
TEXT = HOUSE.read_text("utf-8")


def faults(text: str) -> list[str]:
    with pytest.raises(DeckError) as caught:
        GAME.read_deck(text, "my.toml")
    return [str(fault) for fault in caught.value.faults]


def changed(card: str, old: str, new: str) -> str:
    """The house deck with something replaced on one card."""
    start = TEXT.index(f'id = "{card}"')
    end = TEXT.find("[[card]]", start) if "[[card]]" in TEXT[start:] else len(TEXT)
    part = TEXT[start:end]
    assert old in part
    return TEXT[:start] + part.replace(old, new, 1) + TEXT[end:]


def without(card: str) -> str:
    start = TEXT.rindex("[[card]]", 0, TEXT.index(f'id = "{card}"'))
    end = TEXT.find("[[card]]", start + 1)
    return TEXT[:start] + (TEXT[end:] if end > 0 else "")


def test_the_house_deck_keeps_hr_1_and_hr_11() -> None:
    deck = shipped_deck()
    assert isinstance(deck, OfficeDeck)
    basic = [deck.card[name] for name in deck.names(promo=False)]
    assert len(basic) == 54
    assert sum(card.colour == "dark" for card in basic) == 27
    assert [
        sum(card.kind == kind for card in basic) for kind in ("project", "manager", "quota")
    ] == [
        30,
        18,
        6,
    ]
    assert len(deck.names(promo=True)) == 62
    for number, value in enumerate(PROJECT_VALUES, 1):
        assert deck.card[f"P{number:02}d"].value == deck.card[f"P{number:02}l"].value == value
    # Counted here by hand of the clause, not by the reader's own checks.
    shapes = set()
    for card in basic:
        if card.kind == "project":
            squares = "".join(card.pattern)
            own, other = ("D", "L") if card.colour == "dark" else ("L", "D")
            assert squares.count(own) > squares.count(other) > 0
            shapes.add(min(orientations(card.pattern, mirror=False)))
    assert len(shapes) == 30
    assert len("".join(deck.card["P05d"].pattern).replace(".", "")) == 9


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (changed("P01d", "value = 2", "value = 3"), r"my.toml: P01d: worth 2, not 3 \[HR-1\]"),
        (changed("P01d", "value = 2", "value = true"), r"P01d: worth 2, not True"),
        (changed("P01d", 'colour = "dark"', 'colour = "light"'), r"P01d: .*`colour` .*'dark'"),
        (changed("M03l", 'ability = "draw"', 'ability = "swap"'), r"M03l: the ability must be"),
        (changed("Q02l", 'quota = "only-card"', 'quota = "x"'), r"Q02l: the quota must be 'only"),
        (changed("P01d", 'kind = "project"', 'kind = "manager"'), r"P01d: .*`kind` must be"),
        (changed("P01d", 'id = "P01d"', 'id = "P16d"'), r"card 1: the field `id` must be a card"),
        (changed("P01d", 'id = "P01d"', 'id = "P02d"'), r"P02d: named twice|P02d: worth 4"),
        (without("M09l"), r"M09l: missing \[HR-1.1\]"),
        (changed("P01d", "title = ", "titel = "), r"P01d: the field `title` must be a text"),
        (
            changed("M01d", "title = ", 'pattern = ["DL"]\ntitle = '),
            r"M01d: a manager has no field",
        ),
        (re.sub(r'(?s)(id = "P10d".*?pattern = )\[.*?\]', r'\1["DDDL"]', TEXT), r"P10d: .*3x3"),
        (re.sub(r'(?s)(id = "P10d".*?pattern = )\[.*?\]', r'\1["DD", "L"]', TEXT), r"equally long"),
        (re.sub(r'(?s)(id = "P10d".*?pattern = )\[.*?\]', r'\1["DDX"]', TEXT), r"D, L and \. only"),
        (re.sub(r'(?s)(id = "P10d".*?pattern = )\[.*?\]', r'\1["DDD"]', TEXT), r"both colours"),
        (
            re.sub(r'(?s)(id = "P10d".*?pattern = )\[.*?\]', r'\1["DLL"]', TEXT),
            r"more dark squares",
        ),
        (re.sub(r'(?s)(id = "P10d".*?pattern = )\[.*?\]', r'\1["DLD"]', TEXT), r"P10l: not P10d"),
        (re.sub(r'(?s)(id = "P10d".*?pattern = )\[.*?\]', r'\1[".D", ".D", ".L"]', TEXT), r"outer"),
        (re.sub(r'(?s)(id = "P10d".*?pattern = )\[.*?\]', r"\1[1, 2]", TEXT), r"a list of rows"),
        (
            re.sub(r'(?s)(id = "P10d".*?pattern = )\[.*?\]', r'\1["DD", "LD"]', TEXT),
            r"the same patt",
        ),
        ("", r"my.toml: the field `format` must be"),
        ("format = ", r"my.toml: not readable as TOML"),
        (TEXT.replace("open-plan deck 1", "open-plan deck 2"), r"must be 'open-plan deck 1'"),
        (TEXT.replace('game = "human-resources"', 'game = "chess"'), r"a deck of 'chess'"),
        (TEXT.replace('name = "house"', 'name = "../x"'), r"`name` must be 1 to 40"),
        (TEXT + "#" * 70_000, r"larger than 64 KB"),
        (TEXT + "x = " + "[" * 900, r"nested deeper"),
        (TEXT + "a" + ".a" * 2000 + " = 1", r"longer than 1000"),
        (
            'format="open-plan deck 1"\ngame="human-resources"\nname="x"\ntitle="x"\ncard=[1]',
            r"not a",
        ),
    ],
)
def test_a_fault_is_named_with_file_and_card(text: str, expected: str) -> None:
    found = faults(text)
    assert any(re.search(expected, fault) for fault in found), found


def test_all_faults_are_named_not_only_the_first() -> None:
    text = changed("P01d", "value = 2", "value = 3")
    text = text.replace('ability = "draw"', 'ability = "nap"')
    assert len(faults(text)) == 3


def test_the_template_lacks_only_the_patterns() -> None:
    found = faults(GAME.deck_template())
    assert len(found) == 30
    assert all("pattern" in fault for fault in found)
    filled = GAME.deck_template()
    for name in NAMES[:30]:
        rows = ", ".join(f'"{row}"' for row in shipped_deck().card[name].pattern)
        start = filled.index(f'id = "{name}"')
        filled = filled[:start] + filled[start:].replace('"...", "...", "..."', rows, 1)
    assert GAME.read_deck(filled, "mine").card["P05l"].pattern


def test_the_hash_is_of_the_content_and_not_of_the_layout() -> None:
    deck = shipped_deck()
    same = GAME.read_deck(TEXT.replace("\n\n", "\n# a comment\n\n"), "x")
    assert same.hash == deck.hash
    other = GAME.read_deck(changed("M01d", 'title = "', 'title = "Old '), "x")
    assert other.hash != deck.hash
