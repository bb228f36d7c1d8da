"""`openplan admin`: backup while the server runs, restore, replay every match, look around."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

from openplan.cli.arguments import CommandError

if TYPE_CHECKING:
    from openplan.server.ops.replay import Replayed
    from openplan.server.settings import Settings
    from openplan.server.store import Store

T = TypeVar("T")
Data = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The server's folder, as for serve.")
]
Config = Annotated[Path | None, typer.Option(metavar="FILE", help="Settings in a TOML file.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="One SQLite file.")]

app = typer.Typer(
    help="Look after a server's data. The database is found as by `openplan serve`.",
    rich_markup_mode=None,
)


@app.command()
def backup(file: File, data: Data = None, config: Config = None) -> None:
    """Write everything as it is at this moment into a new file; the server may be running.

    It holds deals and sealed orders: keep it where nobody else can read it.

    Example: openplan admin backup monday.backup
    """
    from openplan.server.ops import backup

    _run(backup.backup(_store_url(data, config), file))
    typer.echo(f"{file}: {file.stat().st_size:,} bytes, checked")


@app.command()
def restore(file: File, data: Data = None, config: Config = None) -> None:
    """Put a backup into a database that is empty, and replay every match in it.

    Example: openplan admin restore monday.backup --data ./new-data
    """
    from openplan.server.ops import backup

    _report(_run(backup.restore(_store_url(data, config), file, now=_now())))


@app.command("replay-all")
def replay_all(data: Data = None, config: Config = None) -> None:
    """Replay every stored match; one that no longer leads where it led is frozen.

    A running server does it itself.

    Example: openplan admin replay-all
    """
    from openplan.server.ops import replay

    async def directly(store: Store) -> replay.Replayed:
        return await replay.replay_all(store, now=_now())

    answer = handed(data, config, "replay-all", directly)
    if not isinstance(answer, replay.Replayed):
        answer = replay.Replayed(answer["matches"], answer["differing"])
    _report(answer)


@app.command()
def release(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Its id, as in `matches`.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Let a frozen match go on, if it replays by now.

    Example: openplan admin release GmX3vNbq
    """
    from openplan.server.ops import replay

    async def directly(store: Store) -> None:
        await store.transact(lambda tx: replay.release(tx, table, now=_now()))

    handed(data, config, "release", directly, table=table)
    typer.echo(f"{table} goes on")


@app.command()
def audit(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Its id; all if left out.")] = "",
    data: Data = None,
    config: Config = None,
) -> None:
    """Print what was done besides playing: when, at which table, by whom, what.

    Example: openplan admin audit
    """
    from openplan.server.ops import backup

    select = (
        "SELECT audit.at, table_id, users.name, act, detail FROM audit"
        " LEFT JOIN users ON users.id = audit.user_id"
        " WHERE ? = '' OR table_id = ? ORDER BY audit.id"
    )
    lines = _run(
        backup.look(
            _store_url(data, config),
            lambda tx: tx.rows(tuple[int, str | None, str | None, str, str], select, table, table),
        )
    )
    for at, where, name, act, detail in lines:
        typer.echo(f"{_time(at)}  {where or '-'}  {name or '-'}  {act}  {detail}")


@app.command()
def migrate(data: Data = None, config: Config = None) -> None:
    """Bring the tables of the database up to date; a server does so by itself when it starts.

    Example: openplan admin migrate
    """
    from openplan.server.store import open_store
    from openplan.server.store.migrations import HEAD
    from openplan.server.store.migrations import migrate as bring_up_to_date

    async def go() -> str:
        store = open_store(_store_url(data, config))
        try:
            return await bring_up_to_date(store)
        finally:
            await store.close()

    before = _run(go())
    typer.echo(f"revision {before or 'none'} before, {max(before, HEAD)} now")


@app.command()
def health(data: Data = None, config: Config = None) -> None:
    """Count what is there and what waits; status 1 if something needs looking at.

    Example: openplan admin health
    """
    from openplan.mail.outbound.compose import one_line
    from openplan.server.ops import backup, overview
    from openplan.server.store.migrations import HEAD

    now = _now()
    found = _run(backup.look(_store_url(data, config), lambda tx: overview.health(tx, now)))
    known = "" if found.revision == HEAD else f" (this program knows {HEAD})"
    typer.echo(f"revision   {found.revision}{known}")
    states = ", ".join(f"{number} {state}" for state, number in found.tables.items())
    typer.echo(f"tables     {states or 'none'}")
    typer.echo(f"users      {found.users}, {found.guests} of them guests")
    grown = ", ".join(f"{number} {what}" for what, number in found.grown.items())
    typer.echo(f"in a day   {grown}")
    typer.echo(f"entries    {found.entries}")
    typer.echo(f"overdue    {found.waiting} jobs, {found.overdue} deadlines")
    for box in found.mailboxes:
        since = "" if box.read_at is None else f", last read at {_when(box.read_at)}"
        typer.echo(f"mailbox    {box.name}: {box.trouble or 'can be read'}{since}")
    for mail in found.ignored:
        name = one_line(mail.name) or "without a Message-ID"
        typer.echo(f"unanswered {_when(mail.at)}  {mail.reason}  {name}")
    raise typer.Exit(0 if found.is_good else 1)


def _when(at: int) -> str:
    return f"{datetime.fromtimestamp(at // 1_000_000, UTC):%Y-%m-%d %H:%M} UTC"


@app.command()
def page(data: Data = None, config: Config = None) -> None:
    """Print a link to the operator's page: letters, queues, deadlines, reports. It works once,
    within ten minutes.

    Whoever has the link can read letters where nothing carries them: give it to nobody.

    Example: openplan admin page
    """
    from openplan.server.ops import operator
    from openplan.server.settings import load_secret

    settings = _settings(data, config)

    async def directly(store: Store) -> str:
        secret, now = load_secret(settings.data), _now()
        return await store.transact(lambda tx: operator.link(tx, settings, secret, now))

    typer.echo(handed(data, config, "page", directly))


@app.command()
def users(data: Data = None, config: Config = None) -> None:
    """List people: id, guest or member, since when, name.

    Example: openplan admin users
    """
    _list(
        "SELECT id, kind, created_at, name FROM users WHERE deleted_at IS NULL ORDER BY created_at",
        _store_url(data, config),
    )


@app.command()
def matches(data: Data = None, config: Config = None) -> None:
    """List tables: id, state, since when, game.

    Example: openplan admin matches
    """
    _list(
        "SELECT id, state, created_at, game FROM tables ORDER BY created_at",
        _store_url(data, config),
    )


@app.command()
def withdraw_deck(
    deck: Annotated[str, typer.Argument(help="The end of its address, after /decks/.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Withdraw a deck that was shared: from now on nobody but its owner sees it. Matches with it
    go on.

    Example: openplan admin withdraw-deck 3kGq...
    """
    from openplan.server.tables.workshop import withdraw

    async def directly(store: Store) -> None:
        await store.transact(lambda tx: withdraw(tx, deck))

    handed(data, config, "withdraw-deck", directly, deck=deck)
    typer.echo(f"withdrawn: {deck}")


@app.command()
def reports(
    close: Annotated[int, typer.Option(metavar="NUMBER", help="Close this one.")] = 0,
    data: Data = None,
    config: Config = None,
) -> None:
    """List what people have reported about others: number, when, who about whom, where, what.

    Example: openplan admin reports --close 3
    """
    from openplan.server.ops import backup, overview
    from openplan.server.people.complaints import close_complaint

    async def directly(store: Store) -> None:
        await store.transact(lambda tx: close_complaint(tx, close, now=_now()))

    if close:
        handed(data, config, "close-report", directly, number=close)
    for row in _run(backup.look(_store_url(data, config), overview.complaints)):
        table = f"  at table {row.table}" if row.table else ""
        typer.echo(f"{row.number}  {_time(row.at)}  {row.by_name} ({row.by})")
        typer.echo(f"  about {row.about_name} ({row.about}){table}")
        for line in row.text.splitlines():
            typer.echo(f"  | {line}")


@app.command("rebuild-ratings")
def rebuild_ratings(data: Data = None, config: Config = None) -> None:
    """Compute all results and ratings again from the logs of the matches.

    Example: openplan admin rebuild-ratings
    """
    from openplan.server.ops import replay

    matches, changed = handed(data, config, "rebuild-ratings", replay.rebuild_ratings)
    typer.echo(f"{matches} matches, {changed} ratings changed")


def _list(select: str, url: str) -> None:
    from openplan.server.ops import backup

    rows = _run(backup.look(url, lambda tx: tx.rows(tuple[str, str, int, str], select)))
    for ident, kind, at, name in rows:
        typer.echo(f"{ident}  {kind:8}  {_time(at)}  {name}")


def _time(at: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(at / 1_000_000, UTC):%Y-%m-%d %H:%M}"


def handed(
    data: Path | None,
    config: Path | None,
    act: str,
    directly: Callable[[Store], Coroutine[Any, Any, T]],
    **given: Any,
) -> Any:
    """Have a running server do it, or do it oneself if there is none."""
    from openplan.core.game import GameError
    from openplan.server.ops import admin_socket, backup
    from openplan.server.settings import SettingsError
    from openplan.server.store import open_store, path_of

    settings = _settings(data, config)

    async def alone() -> T:
        await backup.look(settings.store_url, lambda _: None)  # there must be something
        store = open_store(settings.store_url)
        try:
            return await directly(store)
        finally:
            await store.close()

    try:
        if path_of(settings.store_url) is not None:
            try:
                return admin_socket.ask(settings.data, act, **given)
            except admin_socket.NoServer:
                return _run(alone())
        return _run(alone())
    except (GameError, SettingsError, admin_socket.Refused) as error:
        raise CommandError(str(error)) from None


def _report(found: Replayed) -> NoReturn:
    for table, trouble in found.differing.items():
        typer.echo(f"{table}: {trouble}")
    count = len(found.differing)
    differ = "1 differs and is frozen" if count == 1 else f"{count} differ"
    typer.echo(f"{found.matches} matches replayed, {differ}{' and are frozen' * (count > 1)}")
    raise typer.Exit(1 if found.differing else 0)


def _store_url(data: Path | None, config: Path | None) -> str:
    return _settings(data, config).store_url


def _settings(data: Path | None, config: Path | None) -> Settings:
    from openplan.server.settings import SettingsError, read_settings

    try:
        return read_settings(file=config, data=data)
    except SettingsError as error:
        raise CommandError(str(error)) from None


def _run(task: Coroutine[Any, Any, T]) -> T:
    from openplan.server.store import StoreError

    try:
        return asyncio.run(task)
    except (StoreError, OSError) as error:
        raise CommandError(str(error)) from None


def _now() -> int:
    return time.time_ns() // 1_000
