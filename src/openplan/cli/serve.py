"""`openplan serve`: the server on this machine."""

from __future__ import annotations

import gc
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from errno import EADDRINUSE
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openplan.cli.arguments import CommandError

if TYPE_CHECKING:
    from openplan.server.ops.running_site import RunningSite


def serve(
    port: Annotated[int | None, typer.Option(help="The port to listen at.")] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen at.")] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder for database and secret.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings in a TOML file.")
    ] = None,
) -> None:
    """Serve tables, live views, clocks and bots; by default for this machine alone.

    Settings come from OPENPLAN_... in the environment too, such as OPENPLAN_DATABASE.

    Example: openplan serve --port 8000 --data ./data
    """
    gc.disable()  # what the start makes stays
    import uvicorn

    from openplan.server.http.app import serving
    from openplan.server.http.connections import raise_file_limit
    from openplan.server.logs import configure_logs
    from openplan.server.ops.serve import make_app
    from openplan.server.settings import SettingsError, read_settings
    from openplan.server.store import StoreError

    try:
        settings = read_settings(file=config, port=port, host=host, data=data)
        configure_logs(settings.log_level)
        raise_file_limit()
        _make_folder(settings.data)
        with _listening(settings.host, settings.port) as sockets:
            settings = replace(settings, port=sockets[0].getsockname()[1])
            app = make_app(settings, greet=_greet)
            _collect_seldom()
            try:
                uvicorn.Server(serving(app)).run(sockets)
            except SystemExit:
                if app.why_not is None:
                    raise
                raise CommandError(str(app.why_not)) from None
    except (SettingsError, StoreError) as error:
        raise CommandError(str(error)) from None


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is no folder" if data.exists() else error.strerror
        raise CommandError(f"{data} cannot hold the data: {reason}") from None


@contextmanager
def _listening(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Sockets at all addresses that the host has, all at one port; 0 for any that is free. Whoever
    connects before the server has started waits."""
    with ExitStack() as held:
        found: list[socket.socket] = []
        try:
            for family, kind, protocol, _, address in socket.getaddrinfo(
                host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            ):
                # With its protocol named, or asyncio would not switch the delay of small packets
                # off.
                one = held.enter_context(socket.socket(family, kind, protocol))
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                same = found[0].getsockname()[1] if found else port
                one.bind((address[0], same, *address[2:]))
                one.listen(2048)
                found.append(one)
        except OSError as error:
            more = "; another program does, so choose another --port" * (error.errno == EADDRINUSE)
            raise CommandError(f"cannot listen at {host}:{port}: {error.strerror}{more}") from None
        yield found


async def _greet(site: RunningSite) -> None:
    from openplan.server.http.pages import is_older_than_its_sources
    from openplan.server.ops.operator import act_page

    host = site.settings.host
    at = f"[{host}]" if ":" in host else host
    typer.echo(f"Open Plan at http://{at}:{site.settings.port}/ (Ctrl+C stops it)")
    if is_older_than_its_sources():
        typer.echo("The pages are older than their sources: run make build and start it again.")
    if sys.stdout.isatty():  # never into a log that others may read
        link = await act_page(site, {})
        typer.echo(f"The operator's page (once, within 10 minutes): {link}")


def _collect_seldom() -> None:
    """Matches in memory are many objects that live for long and hold no cycles: going through all
    of them again and again took a quarter of the time, and up to half a second at once. Requests
    and sockets that leave cycles are found among what is young."""
    gc.freeze()
    gc.set_threshold(5_000, 2, 200)
    gc.enable()
