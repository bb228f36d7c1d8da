"""What can be looked up without a table: decks, cases and lessons as the server tells them."""

from collections.abc import Iterator

import pytest

from openplan.cli.cases import read_cases
from openplan.core.registry import all_games
from openplan.decks import load_deck, shipped_text
from tests.server.running import Client, Running, running

GAMES = sorted(all_games())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("library")) as server:
        yield server


@pytest.fixture
def client(server: Running) -> Client:
    return server.client()


@pytest.mark.parametrize("name", GAMES)
def test_a_deck_has_every_face(client: Client, name: str) -> None:
    deck = load_deck(all_games()[name])
    told = client.ok("GET", f"/api/games/{name}/decks/{deck.name}")
    assert told["hash"] == deck.hash
    assert list(told["cards"]) == list(deck.cards)
    assert all(card["title"] for card in told["cards"].values())
    assert client.refused("GET", f"/api/games/{name}/decks/nothing")[0] == 404
    assert client.refused("GET", f"/api/games/{name}/decks/..%2Fhouse")[0] == 404
    assert client.refused("GET", "/api/games/chess/decks/house")[0] == 422


def test_a_table_tells_its_own_deck_to_those_who_may_know_of_it(server: Running) -> None:
    ann, bea = server.client("Ann"), server.client("Bea")
    game = all_games()["human-resources"]
    own = load_deck(game)
    text = shipped_text(game, "house").replace("Corner Desk", "Own Desk")
    text = text.replace('name = "house"', 'name = "own"').replace("The house deck", "Our deck")
    table = ann.ok("POST", "/api/tables", {"game": game.name, "deck_text": text})["id"]
    told = ann.ok("GET", f"/api/tables/{table}/deck")
    assert told["cards"]["P01d"]["title"] == "Own Desk"
    assert told["hash"] != own.hash
    assert bea.refused("GET", f"/api/tables/{table}/deck")[0] == 404


@pytest.mark.parametrize("name", GAMES)
def test_every_case_is_told_with_the_table_at_each_step(client: Client, name: str) -> None:
    game = all_games()[name]
    titles = client.ok("GET", f"/api/games/{name}/cases")
    assert [title["name"] for title in titles] == [case.name for case in read_cases(game)]
    told = 0
    refusals: list[tuple[str, str]] = []
    for clause in dict.fromkeys(title["clause"] for title in titles):
        path = f"/api/games/{name}/cases/{clause}"
        found = client.ok("GET", path)
        german = client.ask("GET", path, headers={"Accept-Language": "de"}).json()
        for case, other in zip(found, german, strict=True):
            told += 1
            assert case["view"]
            for line, said in zip(case["lines"], other["lines"], strict=True):
                refusals += [(line["reason"], said["reason"])] * (line["verb"] == "refuse")
                if line["verb"] == "refuse":
                    assert line["reason"], (case["name"], line)
                    assert line["view"] is None
                elif line["verb"] == "do":
                    assert line["view"], (case["name"], line)
    assert told == len(titles)
    # What the rules refuse is told in both languages; what cannot be read at all, in one.
    lines = [line for case in read_cases(game) for line in case.lines]
    assert len(refusals) == sum(line.verb == "refuse" for line in lines) > 0
    assert sum(english != german for english, german in refusals) > len(refusals) / 2
    assert client.refused("GET", f"/api/games/{name}/cases/XX-9.9")[0] == 404


def test_one_case_by_its_name(client: Client) -> None:
    (case,) = client.ok("GET", "/api/games/human-resources/cases/HR.5.1.1")
    assert case["title"] == "A project lies open before its player and waits"
    assert case["view"]["play"]["A"] == []
    assert case["lines"][0]["view"]["play"]["A"] == ["P10d"]


def test_sentences_are_in_the_language_asked_for(server: Running) -> None:
    ann = server.client("Ann")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    body = {"game": "human-resources", "seats": seats}
    table = ann.ok("POST", "/api/tables", body)["id"]
    view = ann.ok("GET", f"/api/tables/{table}")["view"]
    if view["to_act"] != ["A"]:
        while ann.ok("GET", f"/api/tables/{table}")["view"]["to_act"] != ["A"]:
            pass
    card = ann.ok("GET", f"/api/tables/{table}")["view"]["hands"]["A"][0]
    asked = {"move": f"place {card} E40"}
    english = ann.ask("POST", f"/api/tables/{table}/why", asked).json()
    german = ann.ask(
        "POST", f"/api/tables/{table}/why", asked, headers={"Accept-Language": "de-AT, en;q=0.5"}
    ).json()
    assert english["code"] == german["code"]
    assert not english["is_legal"]
    assert english["reason"] != german["reason"]


@pytest.mark.parametrize("game", ["human-resources", "cube-farm"])
def test_what_is_large_and_everybodys_travels_packed(server: Running, game: str) -> None:
    ann = server.client("Ann")
    table = ann.ok("POST", "/api/tables", {"game": game})["id"]
    packed = [f"/api/games/{game}/cases", f"/api/games/{game}/decks/house"]
    deck = ann.ok("POST", "/api/me/decks", {"source": "house", "game": game})["id"]
    for path in (*packed, f"/api/tables/{table}/deck", f"/api/decks/{deck}"):
        answer = ann.ask("GET", path, headers={"Accept-Encoding": "gzip"})
        assert answer.headers.get("content-encoding") == "gzip", path
        plain = ann.ask("GET", path, headers={"Accept-Encoding": "identity"})
        assert plain.headers.get("content-encoding") is None
        assert plain.json() == answer.json()
    # Of what somebody alone may know, not even the size tells what is in it.
    own = ann.ask("GET", f"/api/tables/{table}", headers={"Accept-Encoding": "gzip"})
    assert own.headers.get("content-encoding") is None
