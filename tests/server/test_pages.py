"""The client's files as the server sends them."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from openplan.server.errors import Missing
from openplan.server.http.pages import (
    ADDRESSES,
    FILES,
    Pages,
    is_older_than_its_sources,
    made_from,
)
from openplan.server.ops import serve
from tests.server.running import Client, running

PAGE = b"<!doctype html><title>the page</title>"
CODE = b"console.log('the code');" * 50


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    for name, data in {
        "index.html": PAGE,
        "assets/main-1a2b.js": CODE,
        "icon.svg": b"<svg/>",
    }.items():
        (folder / name).write_bytes(data)
        (folder / f"{name}.gz").write_bytes(gzip.compress(data))
    return folder


@pytest.fixture
def client(tmp_path: Path, built: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(serve, "built_folder", lambda: built)
    with running(tmp_path / "data") as server:
        yield server.client()


def test_every_address_of_the_client_is_answered_with_its_page(client: Client) -> None:
    for address in ADDRESSES:
        path = address.replace("{number:int}", "7")
        for name in ("table", "person", "game", "deck", "kind"):
            path = path.replace(f"{{{name}:str}}", "abc")
        answer = client.ask("GET", path)
        assert (answer.status_code, answer.content) == (200, PAGE), path
        assert answer.headers["content-type"].startswith("text/html")
        assert answer.headers["cache-control"] == "no-cache"
        assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_assets_are_kept_for_good_and_sent_packed(client: Client) -> None:
    answer = client.ask("GET", "/assets/main-1a2b.js", headers={"Accept-Encoding": "gzip"})
    assert answer.content == CODE
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < len(CODE)
    assert "immutable" in answer.headers["cache-control"]
    plain = client.ask("GET", "/assets/main-1a2b.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == CODE


def test_what_is_not_there_is_missing_and_no_path_leads_out(client: Client) -> None:
    for path in (
        "/assets/other.js",
        "/assets/..%2findex.html",
        "/assets/%2e%2e/secret",
        "/nothing",
    ):
        assert client.refused("GET", path)[0] == 404, path


def test_a_reader_gets_the_page_where_there_is_none_and_a_program_the_reason(
    client: Client,
) -> None:
    reader = {"Accept": "text/html,application/xhtml+xml"}
    answer = client.ask("GET", "/no/such/room", headers=reader)
    assert (answer.status_code, answer.content) == (404, PAGE)
    assert client.ask("GET", "/api/no/such", headers=reader).json()["code"] == "missing"
    assert client.ask("GET", "/no/such/room").json()["code"] == "missing"
    for path in ("/%00", "/no%00such/room", "/table/a%00b/at/c"):
        answer = client.ask("GET", path, headers=reader)
        assert (answer.status_code, answer.content) == (404, PAGE), path
        assert client.ask("GET", path).json()["code"] == "missing", path
    assert client.ask("GET", "/api/%00", headers=reader).json()["code"] == "missing"


def test_answers_of_the_api_are_not_kept(client: Client) -> None:
    assert client.ask("GET", "/api/games").headers["cache-control"] == "no-store"


def test_without_a_build_the_page_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "built_folder", lambda: tmp_path / "nothing")
    with running(tmp_path / "data") as server:
        answer = server.client().ask("GET", "/")
        assert answer.status_code == 200
        assert "make build" in answer.text


def test_pages_that_were_built_from_other_sources_are_found_out(tmp_path: Path) -> None:
    for name in (*FILES, "web/src/main.ts", "docs/rules/game.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    assert not is_older_than_its_sources(tmp_path), "what is not built is told by the page itself"
    stamp = tmp_path / "build" / "web" / "stamp"
    stamp.parent.mkdir(parents=True)
    stamp.write_text(made_from(tmp_path))
    assert not is_older_than_its_sources(tmp_path)
    (tmp_path / "docs/rules/game.md").write_text("another rule")
    assert is_older_than_its_sources(tmp_path)


def test_a_page_says_at_once_what_it_is_made_of(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<html>\n  <head>\n    <script src="/assets/first.js"></script>\n  </head>\n</html>'
    )
    parts = {
        "src/pages/Learn.svelte": {
            "file": "assets/learn.js",
            "css": ["assets/learn.css"],
            "imports": ["index.html", "_words.js"],
        },
        "index.html": {"file": "assets/first.js", "imports": ["_words.js"]},
        "_words.js": {"file": "assets/words.js"},
        "src/games/cube_farm/index.ts": {"file": "assets/farm.js", "imports": ["_words.js"]},
    }
    (tmp_path / "manifest.json").write_text(json.dumps(parts))
    pages = Pages(tmp_path)
    told = pages.at("/learn/cube-farm").plain.decode()
    assert re.findall(r'(\w+)" (?:as="style" )?crossorigin href="/([^"]+)', told) == [
        ("modulepreload", "assets/learn.js"),
        ("preload", "assets/learn.css"),
        ("modulepreload", "assets/words.js"),
        ("modulepreload", "assets/farm.js"),
    ]
    assert b"farm.js" not in pages.at("/learn/../../etc").plain
    assert pages.at("/") is pages.index
    assert pages.at("/nowhere/at/all") is pages.index
    assert b"<meta />" in pages.at("/table", b"<meta />").plain
    with pytest.raises(Missing):
        pages["manifest.json"]
