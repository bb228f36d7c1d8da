"""A deck as a page edits it, and back: whatever stands in the form, a file comes of it that can be
opened again, and the reader says at which card something is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from openplan.core.deck import DeckError, name_for, read_csv, read_table, strange_texts
from openplan.core.game import AnyGame, Illegal
from openplan.core.registry import all_games, game_named
from openplan.decks import load_deck, shipped_text
from tests.tender import GAME as TENDER

GAMES = [pytest.param(game, id=name) for name, game in sorted(all_games().items())]
OFFICE, FARM = game_named("human-resources"), game_named("cube-farm")


def form_of(game: AnyGame, text: str) -> dict[str, Any]:
    form = game.deck_form(read_table(text, "deck"))
    assert form is not None
    return form


def house(game: AnyGame) -> dict[str, Any]:
    return form_of(game, shipped_text(game, "house")) | {"title": "Ours"}


def faults(game: AnyGame, form: dict[str, Any]) -> list[tuple[int, str]]:
    with pytest.raises(DeckError) as caught:
        game.read_deck(game.deck_text(form), "deck")
    return [(fault.place, fault.fault) for fault in caught.value.faults]


@pytest.mark.parametrize("game", GAMES)
def test_the_house_deck_comes_out_as_it_went_in(game: AnyGame) -> None:
    form = house(game)
    deck = game.read_deck(game.deck_text(form), "deck")
    own = load_deck(game)
    assert (deck.title, deck.name) == ("Ours", "my-ours")
    assert deck.hash == own.hash
    assert form_of(game, game.deck_text(form)) == form


@pytest.mark.parametrize("game", GAMES)
def test_a_form_that_somebody_made_up_makes_a_file_nevertheless(game: AnyGame) -> None:
    odd: tuple[Any, ...] = (
        "\x7f\x00\u202e",
        7,
        None,
        [],
        {"a": 1},
        '"\\\n',
        "\U0001f3b2",
        True,
        "x" * 300,
    )
    for value in odd:
        for key in ("title", "text", "pattern", "drawing", "number", "id", "kind"):
            form = house(game)
            form["cards"] = [{**card, key: value} for card in form["cards"][:3]]
            form["cards"] += [value]
            form["values"] = {"shredder": value, "nothing": 3}
            form["title"] = value
            again = form_of(game, game.deck_text(form))
            assert game.deck_text(again) == game.deck_text(form)
    strange: tuple[Any, ...] = (None, "text", {}, [None, 1, "x"], [{}] * 300)
    for cards in strange:
        game.deck_text({"cards": cards})


def test_a_twin_is_made_of_its_dark_one_wherever_that_is_drawn() -> None:
    form = house(OFFICE)
    by_name = {card["id"]: card for card in form["cards"]}
    by_name["P01d"]["pattern"] = ["...", ".DD", ".LD"]
    by_name["P01l"]["pattern"] = ["DDD", "DDD", "DDD"]
    by_name["P01l"]["title"] = "Its own title"
    again = {card["id"]: card for card in form_of(OFFICE, OFFICE.deck_text(form))["cards"]}
    assert again["P01d"]["pattern"] == ["DD", "LD"]
    assert again["P01l"]["pattern"] == ["LL", "DL"]
    assert again["P01l"]["title"] == "Its own title"


def test_what_is_fixed_of_a_card_stays_so_whatever_is_sent() -> None:
    form = house(OFFICE)
    for card in form["cards"]:
        card |= {"value": 99, "ability": "win", "kind": "boss", "colour": "pink"}
    assert OFFICE.read_deck(OFFICE.deck_text(form), "deck").hash == load_deck(OFFICE).hash


def test_every_fault_has_the_place_of_its_card() -> None:
    form = house(OFFICE)
    form["cards"][4] |= {"title": " "}
    form["cards"][6] |= {"pattern": ["DDD"]}
    form["cards"][8] |= {"pattern": []}
    assert faults(OFFICE, form) == [
        (5, "the field `title` must be a text"),
        (7, "the pattern must use both colours"),
        (9, "the pattern shows no square yet"),
        # Their twins are made of them.
        (22, "the pattern must use both colours"),
        (24, "the pattern shows no square yet"),
    ]
    form = house(OFFICE)
    form["cards"][1]["pattern"] = form["cards"][0]["pattern"]
    assert (2, "the same pattern as P01d, turned") in faults(OFFICE, form)
    form = house(FARM)
    form["cards"][7]["drawing"] = ["+ + +", " V V ", "+ + +"]
    form["cards"][9]["number"] = 1
    found = faults(FARM, form)
    assert (8, "more than one VP") in found
    assert (10, "a second card with this number") in found


def test_a_text_that_turns_the_writing_round_has_its_cards_place() -> None:
    form = house(FARM)
    form["cards"][2]["title"] = "Lift \u202e"
    (fault, *_) = strange_texts(FARM.deck_text(form), "deck")
    assert (fault.place, fault.card) == (3, "3")


def test_cards_in_rows() -> None:
    rows = "id;title;text;pattern\nP01d;Corner, of a kind;Mine.;DD/DL\nP02d;Bench;Ours.;D.D/DLD\n"
    for text in (rows, "\ufeff" + rows.replace(",", "").replace(";", ",")):
        form = OFFICE.deck_form(read_csv(text, "deck"))
        assert form is not None
        assert len(form["cards"]) == 62
        assert form["cards"][0]["pattern"] == ["DD", "DL"]
        assert form["cards"][0]["title"].startswith("Corner")
        assert form["cards"][15 + 1]["pattern"] == ["L.L", "LDL"]
    farm = FARM.deck_form(read_csv("number,title,text,drawing\n7,Lift,Up.,+-+/|E|/+ +\n", "deck"))
    assert farm is not None
    assert farm["cards"] == [
        {"number": 7, "title": "Lift", "text": "Up.", "drawing": ["+-+", "|E|", "+ +"]}
    ]


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "\x00", "title\n", "x" * 70_000])
def test_rows_that_are_none(text: str) -> None:
    with pytest.raises(DeckError):
        read_csv(text, "deck")


def test_a_name_is_made_of_a_title() -> None:
    assert name_for("Büro Nr. 7!") == "my-buro-nr-7"
    assert name_for("") == name_for("棋") == "my"
    assert name_for("x" * 80) == f"my-{'x' * 37}"


def test_a_game_without_a_form_is_edited_as_text() -> None:
    assert TENDER.deck_form({}) is None
    with pytest.raises(Illegal):
        TENDER.deck_text({})


def test_what_an_editor_can_get_wrong_is_said_in_german() -> None:
    """The same faults, each in other words."""
    office, farm = house(OFFICE), house(FARM)
    for place, pattern in enumerate(([], ["DDDD"], ["DDD"], ["DL"])):
        office["cards"][place]["pattern"] = pattern
    office["cards"][5]["title"] = ""
    office["cards"][6]["text"] = "x" * 130
    same = house(OFFICE)
    same["cards"][1]["pattern"] = same["cards"][0]["pattern"]
    farm["cards"] = farm["cards"][:40]
    farm["cards"][0] |= {"number": 0, "title": ""}
    farm["cards"][1]["number"] = 7
    farm["cards"][2]["drawing"] = ["+ + + + + +", " V V . . . ", "+ + + + + +"]
    none = house(FARM)
    for card in none["cards"]:
        card["drawing"] = ["+ + + + +", " V . . . ", "+ + + + +"]
    empty = house(FARM) | {"title": ""}
    cases: list[tuple[AnyGame, dict[str, Any]]] = [
        *((OFFICE, form) for form in (office, same)),
        *((FARM, form) for form in (farm, none, empty)),
    ]
    for game, form in cases:
        with pytest.raises(DeckError) as caught:
            game.read_deck(game.deck_text(form), "deck")
        for fault in caught.value.faults:
            assert fault.told("en") == fault.fault
            assert fault.told("de") != fault.fault, fault
