"""Names, titles and texts that would be taken for somebody else's, or show what they do not say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from openplan.core.game import Illegal
from openplan.core.registry import game_named
from openplan.decks import shipped_text
from openplan.server.people.names import chosen_name, is_alike, name_among
from openplan.server.store.rows import LoadedTable
from openplan.server.tables.match_cache import DecksRead
from tests.server.running import Running, running

HOUSE = shipped_text(game_named("human-resources"), "house")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.mark.parametrize(
    "name",
    [
        *("An\u200bna", "Anna\u2060", "\u3164", "\u2800\u2800", "a\u00adb", "\ufeffAnn", "\u115f"),
        *("clerk (bot)", "clerk (b\u043et)", "X \uff08bot\uff09", "clerk ( bot )".replace(" ", "")),
        *("former member", "Former  Member", "f\u043ermer memb\u0435r", "ehemaliges Mitglied"),
        *("Game Master", "Spielleitung"),
    ],
)
def test_a_name_that_shows_what_it_is_not_is_refused(name: str, server: Running) -> None:
    with pytest.raises(Illegal):
        chosen_name(name)
    client = server.client()
    assert client.refused("POST", "/api/session", {"name": name}) == (409, "name")
    plain = server.client("Plain")
    assert plain.refused("PATCH", "/api/me", {"name": name}) == (409, "name")


@pytest.mark.parametrize(
    "name",
    ["Anna", "Łukasz", "李小龙", "Ömer", "Дмитрий", "نور", "O'Neil", "R2-D2", "❤ Mo", "Botticelli"],
)
def test_other_names_are_taken_as_they_are(name: str) -> None:
    assert chosen_name(name) == name


def test_what_looks_alike_is_found() -> None:
    for one, other in (
        ("Anna", "\u0410nna"),
        ("paypal", "p\u0430yp\u0430l"),
        ("Ill", "lIl"),
        ("modern", "rnodern"),
        ("O0", "OO"),
        ("Ann", "A\u200bnn"),
        ("Ann", "\uff21nn"),
    ):
        assert is_alike(one, other), (one, other)
    assert not is_alike("Anna", "Anne")
    assert not is_alike("Müller", "Muller")


def test_nobody_sits_down_as_somebody_who_is_there(server: Running) -> None:
    anna, false = server.client("Anna"), server.client("\u0410nn\u0430")
    table = anna.ok("POST", "/api/tables", {"game": "human-resources", "public": True})["id"]
    assert false.refused("POST", f"/api/tables/{table}/join", {}) == (409, "name")
    second = server.client("Anna")
    second.ok("POST", f"/api/tables/{table}/join", {})
    seats = anna.ok("GET", f"/api/tables/{table}")["seats"]
    assert [seat["name"] for seat in seats] == ["Anna", "Anna 2"]
    assert name_among("Anna", ["Anna", "Anna 2"]) == "Anna 3"


def test_no_spectator_speaks_as_somebody_at_the_table(server: Running) -> None:
    anna, namesake = server.client("Anna"), server.client("Anna")
    table = anna.ok("POST", "/api/tables", {"game": "human-resources", "public": True})["id"]
    at = f"/api/tables/{table}"
    namesake.ok("POST", f"{at}/join", {})
    false, third, other = (server.client(name) for name in ("\u0410nn\u0430 2", "Anna", "Zoë"))
    assert false.refused("POST", f"{at}/chat", {"text": "I resign"}) == (409, "name")
    for who in (anna, namesake, third, other):
        who.ok("POST", f"{at}/chat", {"text": "hello"})
    lines = third.ok("GET", f"{at}/chat")["lines"]
    assert sorted((line["room"], line["name"]) for line in lines) == [
        ("seats", "Anna"),
        ("seats", "Anna 2"),
        ("watchers", "Anna 3"),
        ("watchers", "Zoë"),
    ]


def test_chat_and_press_name_marks_that_turn_the_writing_round(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.ok("POST", "/api/tables", {"game": "human-resources", "public": True})["id"]
    at = f"/api/tables/{table}"
    bob.ok("POST", f"{at}/join", {})
    ann.ok("POST", f"{at}/chat", {"text": "I \u202enever\u202c lie"})
    ann.ok("POST", f"{at}/press", {"to": ["all"], "text": "\u2067x\u2069"})
    (line,) = bob.ok("GET", f"{at}/chat")["lines"]
    assert line["text"] == "I [U+202E]never[U+202C] lie"
    assert bob.ok("GET", f"{at}/press")["lines"][0]["text"] == "[U+2067]x[U+2069]"


# -- Decks -----------------------------------------------------------------------------------


def test_a_title_of_one_table_is_nothing_to_another(server: Running) -> None:
    """The same cards under another title are another deck."""
    ann, eve = server.client("Ann"), server.client("Eve")
    own = HOUSE.replace('"The house deck"', '"Rigged by Ann"').replace('"house"', '"mine"', 1)
    wish = {"game": "human-resources", "public": True}
    first = eve.ok("POST", "/api/tables", {**wish, "deck_text": own})["id"]
    assert eve.ok("GET", f"/api/tables/{first}")["deck"]["title"] == "Rigged by Ann"
    second = ann.ok("POST", "/api/tables", wish)["id"]
    assert ann.ok("GET", f"/api/tables/{second}")["deck"]["title"] == "The house deck"
    third = ann.ok("POST", "/api/tables", {**wish, "deck_text": HOUSE})["id"]
    assert ann.ok("GET", f"/api/tables/{third}")["deck"]["title"] == "The house deck"


@pytest.mark.parametrize(
    ("title", "name", "code"),
    [
        ("Mine", "house", "deck"),
        ("The house deck", "mine", "deck"),
        ("Th\u0435 H\u043euse  Deck", "mine", "deck"),
        ("x" * 81, "mine", None),
        ("a\u202eb", "mine", None),
        ("a\\u0007b", "mine", None),
    ],
)
def test_an_own_deck_is_called_what_it_is(
    title: str, name: str, code: str | None, server: Running
) -> None:
    own = HOUSE.replace('"The house deck"', f'"{title}"').replace(
        'name = "house"', f'name = "{name}"'
    )
    wish = {"game": "human-resources", "deck_text": own}
    status, found = server.client("Ann").refused("POST", "/api/tables", wish)
    assert status in (409, 422)
    assert code is None or found == code


def test_texts_of_cards_are_bounded_too(server: Running) -> None:
    own = HOUSE.replace('name = "house"', 'name = "mine"').replace("The house deck", "Mine")
    line = next(line for line in own.splitlines() if line.startswith("text = "))
    for text in ("x" * 401, "a\u202eb"):
        wish = {"game": "human-resources", "deck_text": own.replace(line, f'text = "{text}"', 1)}
        assert server.client("Ann").ask("POST", "/api/tables", wish).status_code in (409, 422)


def test_strangers_push_out_no_deck_of_others() -> None:
    class Row:
        def __init__(self, ident: str, owner: str) -> None:
            self.id, self.owner_id = ident, owner

    def row(ident: str, owner: str) -> LoadedTable:
        return Row(ident, owner)  # type: ignore[return-value]

    decks, deck = DecksRead(kept=20, of_one=10), object()
    decks.keep(row("a", "ann"), deck)  # type: ignore[arg-type]
    for number in range(1000):
        decks.keep(row(f"e{number}", "eve"), deck)  # type: ignore[arg-type]
        decks.keep(row(f"f{number}", "fay"), deck)  # type: ignore[arg-type]
    assert decks.get(row("a", "ann")) is deck
    assert decks.get(row("e0", "eve")) is None
