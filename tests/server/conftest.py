from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.databases import Postgres, running_postgres
from tests.server.running import the_same_chance


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture(autouse=True)
def _chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    the_same_chance(request.node.name, monkeypatch)


# Tests on PostgreSQL stay on one worker, so that one server does for all of them.
BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))]


@pytest.fixture(params=BOTH)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new and empty store, once in each database."""
    return _new_url(request, tmp_path)


@pytest.fixture(scope="module", params=BOTH)
def site_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same for all tests of a file together, which make do with one server."""
    return _new_url(request, tmp_path_factory.mktemp("store"))


def _new_url(request: pytest.FixtureRequest, folder: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{folder / 'store.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_url()
