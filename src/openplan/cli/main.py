"""The entry point: which commands there are, and how anything that goes wrong is said."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn, TextIO

import typer

import openplan
from openplan import compiled
from openplan.cli import (
    admin,
    arena,
    balance,
    cases,
    deck,
    engine,
    mail,
    mcp_seat,
    play,
    printing,
    record,
    review,
    serve,
    verify,
)
from openplan.cli.arguments import CommandError
from openplan.core.deck import DeckError
from openplan.core.game import GameError

HELP = """Open Plan: the office games, in the terminal.

Commands take the game first; the beginning of its name is enough.

Example: openplan play human
"""

EXTRAS = {"typst": "print", "mcp": "mcp"}
"""Which extra brings a package, where it is not the server's."""

app = typer.Typer(
    help=HELP, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False
)
app.command("play")(play.play)
app.command("engine")(engine.engine)
app.command("mcp")(mcp_seat.mcp)
app.command("arena")(arena.arena)
app.command("balance")(balance.balance)
app.command("cases")(cases.cases)
app.add_typer(deck.app, name="deck")
app.add_typer(record.app, name="record")
app.add_typer(printing.app, name="print")
app.command("verify")(verify.verify)
app.command("review")(review.review)
app.add_typer(admin.app, name="admin")
app.add_typer(mail.app, name="mail")
app.command("serve")(serve.serve)


def _print_version(wanted: bool) -> None:
    if wanted:
        from openplan.core.registry import all_games

        all_games()  # which form of a kernel runs is known once it is there
        typer.echo(f"openplan {openplan.__version__}\n{compiled.describe()}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def begin(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Say which version this is, and whether it runs compiled.",
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    for stream in (sys.stdout, sys.stderr):
        _write_anything(stream)
    try:
        status = app(args=arguments, prog_name="openplan", standalone_mode=False)
        sys.stdout.flush()
    except (typer.Abort, KeyboardInterrupt, EOFError):
        status = 130
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        hint = f"; see `{context.command_path} --help`" if context is not None else ""
        status = _report(f"{error.format_message().rstrip('.')}{hint}", error.exit_code)
    except DeckError as error:
        more = len(error.faults) - 1
        also = f" (and {more} more: see `openplan deck check`)" if more else ""
        status = _report(f"{error.faults[0]}{also}")
    except (CommandError, GameError) as error:
        status = _report(str(error))
    except ModuleNotFoundError as error:
        missing = (error.name or "openplan").partition(".")[0]
        if missing == "openplan":
            raise
        extra = EXTRAS.get(missing, "server")
        status = _report(f"this needs {missing}: pip install 'openplan[{extra}]'")
    except BrokenPipeError:
        # Whoever read our output has gone. Nothing is left to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status if isinstance(status, int) else 0)


def _report(reason: str, status: int = 2) -> int:
    print(f"openplan: {' '.join(reason.split())}", file=sys.stderr)
    return status


def _write_anything(stream: TextIO) -> None:
    """What a terminal's encoding does not have is shown as `?`, never a traceback."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
