"""Paper from the site: decks for anybody, a turn for the player of its seat and nobody else."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from openplan.core.registry import all_games
from openplan.decks import shipped_text
from openplan.server.http.routes import printing
from tests.server.running import Client, Running, running

GAMES = sorted(all_games())
THREE = [{"kind": "me"}, {"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "random"}]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("printing")) as server:
        yield server


def text_of(pdf: bytes, folder: Path) -> str:
    file = folder / "printed.pdf"
    file.write_bytes(pdf)
    done = subprocess.run(["pdftotext", str(file), "-"], capture_output=True, check=True)
    return " ".join(done.stdout.decode().split())


def printed(client: Client, path: str) -> bytes:
    answer = client.ask("GET", path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.content.startswith(b"%PDF-")
    return answer.content


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("what", ["deck", "counters", "rules", "reference", "test-sheet"])
def test_anybody_prints_a_game(server: Running, game: str, what: str) -> None:
    client = server.client()
    path = f"/api/games/{game}/print/{what}"
    assert printed(client, path) == printed(client, path)
    preview = client.ask("GET", f"{path}?preview=true&paper=letter")
    assert preview.headers["content-type"] == "image/png"
    assert preview.content.startswith(b"\x89PNG")


def test_what_cannot_be_printed_is_refused(server: Running) -> None:
    client = server.client()
    deck = "/api/games/human-resources/print/deck"
    assert client.refused("GET", f"{deck}?deck=nothing")[0] == 404
    assert client.refused("GET", f"{deck}?deck=..%2Fhouse")[0] == 404
    assert client.refused("GET", f"{deck}?table=nothing")[0] == 404
    assert client.refused("GET", f"{deck}?offset=far") == (422, "bad-offset")
    assert client.refused("GET", f"{deck}?offset=99,0") == (422, "far-offset")
    assert client.refused("GET", f"{deck}?paper=a0")[0] == 422
    assert client.refused("GET", "/api/games/human-resources/print/money")[0] == 404
    assert client.refused("GET", "/api/games/chess/print/deck")[0] == 422


def test_the_deck_of_a_table_is_for_those_who_may_know_of_it(
    server: Running, tmp_path: Path
) -> None:
    ann, bea = server.client("Ann"), server.client("Bea")
    game = all_games()["human-resources"]
    text = shipped_text(game, "house").replace("Corner Desk", "Own Desk")
    text = text.replace('name = "house"', 'name = "own"').replace("The house deck", "Our deck")
    table = ann.ok("POST", "/api/tables", {"game": game.name, "deck_text": text})["id"]
    path = f"/api/games/human-resources/print/deck?table={table}"
    assert "Own Desk" in text_of(printed(ann, path), tmp_path)
    assert bea.refused("GET", path)[0] == 404
    other = f"/api/games/cube-farm/print/deck?table={table}"
    assert ann.refused("GET", other)[0] == 404


def test_a_turn_is_printed_for_its_own_player_only(server: Running, tmp_path: Path) -> None:
    ann, bea = server.client("Ann"), server.client("Bea")
    table = ann.ok("POST", "/api/tables", {"game": "cube-farm", "seats": THREE})["id"]
    path = f"/api/tables/{table}/print"
    text = text_of(printed(ann, path), tmp_path)
    for words in ("PBM Cube Farm", "Sales & Marketing", "Ann", f"/table/{table}", "Signed"):
        assert words in text
    form = text_of(printed(ann, f"{path}?what=form&paper=letter"), tmp_path)
    assert "Phase 1, top floor" in form
    assert "What happened" not in form
    assert bea.refused("GET", path)[0] in (403, 404)
    assert server.client().refused("GET", path)[0] in (401, 404)
    assert ann.refused("GET", f"{path}?seat=P")[0] in (403, 404, 422)
    assert ann.refused("GET", f"{path}?what=all")[0] == 422


def test_all_seats_that_somebody_holds_are_printed_together(
    server: Running, tmp_path: Path
) -> None:
    """At a table shared on one screen; never anybody else's."""
    ann, bea = server.client("Ann"), server.client("Bea")
    mine = [{"kind": "me", "name": "Ida"}, {"kind": "open"}, {"kind": "me", "name": "Udo"}]
    wish = {"game": "cube-farm", "seats": mine, "hot_seat": True, "public": True}
    table = ann.ok("POST", "/api/tables", wish)["id"]
    bea.ok("POST", f"/api/tables/{table}/join", {})
    path = f"/api/tables/{table}/print"
    for what in ("turn", "form"):
        text = text_of(printed(ann, f"{path}?seat=all&what={what}"), tmp_path)
        assert text.count("Signed") == 2
        assert "Ida" in text
        assert "Udo" in text
        assert text_of(printed(bea, f"{path}?seat=all&what={what}"), tmp_path).count("Signed") == 1
    assert "Bea" in text_of(printed(bea, f"{path}?seat=all&what=form"), tmp_path)
    assert server.client("Cy").refused("GET", f"{path}?seat=all")[0] in (403, 404)
    assert ann.refused("GET", f"{path}?seat=P&what=form")[0] in (403, 404, 422)


def test_one_is_set_at_a_time_and_the_site_goes_on(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While somebody's paper is being set the site answers others; and no more than some wait."""
    gate, began = threading.Event(), threading.Event()

    def slow(*_: object) -> bytes:
        began.set()
        assert gate.wait(20)
        return b"%PDF-"

    monkeypatch.setitem(printing._SETS, "deck", slow)
    monkeypatch.setattr(printing, "_MOST_WAITING", 2)
    path = "/api/games/cube-farm/print/deck"
    answers: list[int] = []

    def ask() -> None:
        answers.append(server.client().ask("GET", path).status_code)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    try:
        for thread in threads:
            thread.start()
        assert began.wait(20)
        end = time.monotonic() + 20
        while printing._waiting < 2:
            assert time.monotonic() < end
            time.sleep(0.01)
        assert server.client().ask("GET", "/api/games").status_code == 200
        assert server.client().refused("GET", path)[0] == 429
    finally:
        gate.set()
        for thread in threads:
            thread.join()
    assert answers == [200, 200]


def test_a_deck_that_somebody_made_is_printed_by_who_may_see_it(
    server: Running, tmp_path: Path
) -> None:
    ann, ben = server.client("Ann"), server.client("Ben")
    text = shipped_text(all_games()["human-resources"], "house").replace("Corner Desk", "Nook")
    text = text.replace('"house"', '"mine"').replace("The house deck", "Mine")
    wish = {"source": "toml", "game": "human-resources", "text": text}
    deck = ann.ok("POST", "/api/me/decks", wish)["id"]
    path = f"/api/games/human-resources/print/deck?made={deck}"
    assert "Nook" in text_of(printed(ann, path), tmp_path)
    assert ben.refused("GET", path)[0] == 404
    assert ann.refused("GET", path.replace("human-resources", "cube-farm"))[0] == 404
