"""Tables for the browsers, with people in their seats."""

from __future__ import annotations

from random import Random
from typing import Any

from playwright.sync_api import Page

from openplan.core.registry import all_games
from tests.server.running import Client, Running


def begun(site: Running, game: str = "human-resources", **more: Any) -> tuple[str, list[Client]]:
    """A table with somebody in each seat, and the match begun."""
    count = len(all_games()[game].seats)
    people = [site.client(name) for name in ("Ann", "Bob", "Cleo")[:count]]
    table: str = people[0].ok("POST", "/api/tables", {"game": game, **more})["id"]
    invite = people[0].ok("GET", f"/api/tables/{table}")["invite"]
    for one in people[1:]:
        one.ok("POST", f"/api/tables/{table}/join", {"invite": invite})
    return table, people


def move_of(client: Client, table: str, rng: Random) -> None:
    sight = client.ok("GET", f"/api/tables/{table}")
    move = client.some_move(table, rng)
    client.play(table, move, sight["version"], f"s{rng.random()}".replace(".", ""))


def on_turn(people: list[Client], table: str) -> Client:
    acts = people[0].ok("GET", f"/api/tables/{table}")["to_act"]
    return people["AB".index(acts[0])]


def client_of(page: Page, site: Running) -> Client:
    """The same person without the browser."""
    client = site.client()
    for cookie in page.context.cookies():
        client.http.cookies.set(cookie["name"], cookie["value"])
    return client
