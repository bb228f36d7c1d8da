"""What messengers show of a link to a table, and of one they may know nothing of."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from openplan.core.match import Match
from openplan.core.registry import all_games
from openplan.decks import load_deck
from openplan.render import svg
from tests.server.running import Client, running
from tests.server.test_play_on import finished

PNG = b"\x89PNG\r\n\x1a\n"


def tags(client: Client, path: str) -> dict[str, str]:
    page = client.ask("GET", path, headers={"Accept": "text/html"}).text
    found = re.findall(r'<meta property="(og:\w+)" content="([^"]*)" />', page)
    return {name: html.unescape(value) for name, value in found}


def test_a_link_has_a_title_and_a_picture_for_who_may_know(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ann, nobody = server.client('Ann "<b>" O\'Hara'), server.client()
        waiting = ann.ok("POST", "/api/tables", {"game": "human-resources"})
        seen = ann.ok("GET", f"/api/tables/{waiting['id']}")
        path = f"/table/{waiting['id']}"
        assert tags(nobody, path) == {}, "a stranger without the invitation is told nothing"
        told = tags(nobody, f"{path}?invite={seen['invite']}")
        assert told["og:title"] == "Come and play Human Resources"
        assert 'Ann "<b>" O\'Hara waits for you' in told["og:description"]

        over = finished(ann, "human-resources")
        told = tags(nobody, f"/table/{over}/at/3")
        assert re.fullmatch(r"Human Resources: Ann .* \d+, random \(bot\) \d+", told["og:title"])
        picture = told["og:image"].partition("/api/")[2]
        answer = nobody.ask("GET", f"/api/{picture}")
        assert (answer.status_code, answer.content[:8]) == (200, PNG)
        again = nobody.ask("GET", f"/api/{picture}")
        assert again.content == answer.content


@pytest.mark.parametrize("game", ["human-resources", "cube-farm"])
def test_a_moment_is_shown_as_it_was_and_the_end_as_an_ending(tmp_path: Path, game: str) -> None:
    with running(tmp_path) as server:
        ann, nobody = server.client("Ann"), server.client()
        table = finished(ann, game)
        last = len(nobody.ok("GET", f"/api/tables/{table}/log?viewer=all")["entries"])
        told = [tags(nobody, f"/table/{table}/at/{number}") for number in (0, last // 2)]
        told.append(tags(nobody, f"/table/{table}"))
        addresses = [one["og:url"].partition("/table/")[2] for one in told]
        assert addresses == [f"{table}/at/0", f"{table}/at/{last // 2}", table]
        paths = [f"/api/{one['og:image'].partition('/api/')[2]}" for one in told]
        pictures = [nobody.ask("GET", path).content for path in paths]
        assert all(picture.startswith(PNG) for picture in pictures)
        assert len(set(pictures)) == 3
        assert re.match(r".+ won( together)?\. The whole match", told[2]["og:description"])
        assert nobody.ask("GET", f"{paths[2]}?at={last + 1}").status_code == 404


def test_all_floors_and_the_result_are_in_the_picture() -> None:
    game = all_games()["cube-farm"]
    scene = game.scene(Match.start(game, load_deck(game)).view(None), "en")
    drawn = svg.draw_boards(scene.boards, ["Ann won."])
    assert len(scene.boards) == 3
    assert all(f">{html.escape(board.title)}<" in drawn for board in scene.boards)
    assert ">Ann won.<" in drawn


def test_of_a_hidden_table_the_page_is_that_of_none(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ann, nobody = server.client("Ann"), server.client()
        hidden = ann.ok("POST", "/api/tables", {"game": "cube-farm"})["id"]
        pages = [
            nobody.ask("GET", f"/table/{table}", headers={"Accept": "text/html"}).content
            for table in (hidden, "nothing-here")
        ]
        assert pages[0] == pages[1]
        for table in (hidden, "nothing-here"):
            assert nobody.ask("GET", f"/api/tables/{table}/picture.png").status_code == 404
