"""`openplan serve`: the server on this machine."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Annotated

import typer

from openplan.cli.arguments import CommandError


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

    from openplan.server.app import make_app, serving
    from openplan.server.logs import configure_logs
    from openplan.server.settings import SettingsError, read_settings
    from openplan.server.store import StoreError

    try:
        settings = read_settings(file=config, port=port, host=host, data=data)
        configure_logs(settings.log_level)
        settings.data.mkdir(parents=True, exist_ok=True)
        # Never into a log that others may read.
        app = make_app(settings, greet=_greet if sys.stdout.isatty() else None)
    except (OSError, SettingsError, StoreError) as error:
        raise CommandError(str(error)) from None
    typer.echo(f"Open Plan at http://{settings.host}:{settings.port}/ (Ctrl+C stops it)")
    _collect_seldom()
    uvicorn.Server(serving(app)).run()


def _greet(link: str) -> None:
    typer.echo(f"The operator's page (once, within 10 minutes): {link}")


def _collect_seldom() -> None:
    """Matches in memory are many objects that live for long and hold no cycles: going through all
    of them again and again took a quarter of the time, and up to half a second at once. Requests
    and sockets that leave cycles are found among what is young."""
    gc.freeze()
    gc.set_threshold(5_000, 2, 200)
    gc.enable()
