from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from openplan.server.store import Make, maker
from tests.server.databases import Postgres, running_postgres
from tests.server.running import the_same_chance


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


def checked_maker(names: tuple[str, ...], kind: type[Any]) -> Make:
    """Here every row that is read is held against the types that the program believes it has."""
    make = maker(names, kind)
    if kind in (tuple, dict):
        return make
    if get_origin(kind) is tuple:
        hints: list[Any] = [*get_args(kind)]
    elif issubclass(kind, msgspec.Struct):
        hints = [get_type_hints(kind)[name] for name in names]
    else:
        hints = [kind | None]
    # SQLite says 0 and 1.
    shape: Any = tuple[tuple(bool | int if hint is bool else hint for hint in hints)]  # type: ignore[misc]

    def check(row: tuple[Any, ...]) -> Any:
        try:
            msgspec.convert(row, shape)
        except msgspec.ValidationError as error:
            raise AssertionError(f"{', '.join(names)} as {kind}: {error}") from error
        return make(row)

    return check


@pytest.fixture(scope="session", autouse=True)
def _rows_are_checked() -> Iterator[None]:
    # Reading the types anew for every query took most of the tests' time.
    quick = cache(checked_maker)
    with pytest.MonkeyPatch.context() as patch:
        for database in ("sqlite", "postgres"):
            patch.setattr(f"openplan.server.store.{database}.maker", quick)
        yield


@pytest.fixture(autouse=True)
def _chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    the_same_chance(request.node.name, monkeypatch)


# On whichever worker is free: each has a PostgreSQL of its own.
BOTH = ["sqlite", "postgresql"]


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


@pytest.fixture(scope="session", autouse=True)
def _what_is_kept_is_checked() -> Iterator[None]:
    """Here whatever a store knows without asking is asked for all the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("openplan.server.store.kept.Kept.checks", True)
        yield
