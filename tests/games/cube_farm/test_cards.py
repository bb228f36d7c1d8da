"""Decks are read without trust, and everything wrong is named (CF-8.2)."""

import re

import pytest

from openplan.core.deck import DeckError
from openplan.games.cube_farm.cards import DrawingError, kernel_cards, read_drawing
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.kernel import codes
from tests.games.cube_farm.compare import shipped_deck


def template() -> str:
    return GAME.deck_template()


def faults(text: str) -> list[str]:
    with pytest.raises(DeckError) as caught:
        GAME.read_deck(text, "x.toml")
    return [str(fault) for fault in caught.value.faults]


def test_the_template_is_a_deck() -> None:
    deck = GAME.read_deck(template(), "x.toml")
    assert len(deck.cards) == 54


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("number = 7\n", "number = 8\n", "card 8: a second card with this number [CF-2.2]"),
        ("number = 7\n", "number = 0\n", "card at place 7: the field `number`"),
        ("number = 7\n", 'number = 7\nvalue = "x"\n', "card 7: a card has no field `value`"),
        ('title = "Card 7"\n', "", "card 7: the field `title` must be a text"),
        (" . . E ", " . . . ", "0 elevator cards, at least 3 are needed [CF-8.2]"),
        (" . . . ", " . . V ", "50 VPs, at most 3 may be in a deck [CF-8.2]"),
        ("|#|. . ", "|V V . ", "more than one VP [CF-8.2]"),
        ("|#|. . ", "|X|. . ", "row 2, character 2 is 'X'"),
        ("|#|. . ", "|#-. . ", "row 2, character 3 is '-'"),
        ("+-+ + +", "+|+ + +", "row 1, character 2 is '|'"),
        ('  "+ + + +",\n]', "]", "4 rows; h rows of squares are drawn with 2h+1 rows"),
    ],
)
def test_what_is_wrong_is_named_with_card_and_clause(old: str, new: str, fault: str) -> None:
    text = template()
    once = old.startswith(("number", "title"))
    text = text.replace(old, new, 1) if once else text.replace(old, new)
    found = faults(text)
    assert any(fault in line for line in found), found


def test_cards_that_are_too_large() -> None:
    def longer(by: str) -> str:
        return re.sub(r' ([.E]) ",', rf' \1{by} ",', template()).replace('+ +",', '+ + +",')

    assert any("16 cards in a row could become 64 squares" in line for line in faults(longer(" .")))
    assert any("5x2 squares, at most 4x4" in line for line in faults(longer(" . .")))


def test_every_fault_is_found_not_only_the_first() -> None:
    text = template().replace("number = 7\n", "number = 8\n").replace('text = "..."', "", 3)
    assert len(faults(text)) == 4


def test_too_few_cards() -> None:
    cut = template()[: template().index("number = 48\n") - len("[[card]]\n")]
    assert any("47 cards, at least 48" in line for line in faults(cut))


def test_blanks_at_the_end_of_a_row_do_not_change_the_deck() -> None:
    text = template()
    shorter = re.sub(r' +",', '",', text)
    assert shorter != text
    assert GAME.read_deck(shorter, "x").hash == GAME.read_deck(text, "x").hash


def test_a_drawing_is_squares_with_edges_between() -> None:
    rows = ["+-+ +", "|# V|", "+-+-+"]
    width, height, kinds, walls = read_drawing(rows)
    assert (width, height) == (2, 1)
    assert kinds == (codes.CUBE, codes.VP)
    assert walls == (0b1101, 0b0110)
    with pytest.raises(DrawingError):
        read_drawing(["+ +", "   "])


def test_a_quarter_turn_is_clockwise() -> None:
    deck = shipped_deck()
    cards = kernel_cards(deck)
    card = deck.card["3"]
    lie = deck.index["3"] * 4
    for turn in range(4):
        wide = (card.width, card.height) if turn % 2 == 0 else (card.height, card.width)
        assert (int(cards.width[lie + turn]), int(cards.height[lie + turn])) == wide
    for place, kind in enumerate(card.kinds):
        x, y = place % card.width, place // card.width
        for turn in range(4):
            at = (lie + turn) * codes.MAX_SQUARES + y * codes.MAX_SIDE + x
            assert int(cards.kind[at]) == kind
            wall = card.walls[place]
            turned = ((wall << turn) | (wall >> (4 - turn))) & 15
            assert int(cards.walls[at]) == turned
            width, height = int(cards.width[lie + turn]), int(cards.height[lie + turn])
            assert width * height == len(card.kinds)
            x, y = height - 1 - y, x
