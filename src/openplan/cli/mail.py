"""`openplan mail`: mail for the judge from a mail server's pipe, and what belongs to it."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from openplan.cli.arguments import CommandError

PROMISED: Final = ("result", "code", "token", "orders", "commands", "items")
"""What `explain --json` tells: the keys are there always, and no others."""
TRY_LATER = 75
"""What a mail server takes for: keep the mail and come again (EX_TEMPFAIL)."""

Data = Annotated[Path | None, typer.Option(metavar="DIR", help="The server's data folder.")]
Config = Annotated[Path | None, typer.Option(metavar="FILE", help="Settings in a TOML file.")]

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def mail(context: typer.Context, data: Data = None, config: Config = None) -> None:
    """Hand the mail on standard input to the judge, as a mail server's pipe does. It is on the disk
    when this ends, and is judged by the server, now or when it starts.

    Example: openplan mail --data /var/lib/openplan < order.eml
    """
    if context.invoked_subcommand is not None:
        return
    from openplan.mail.inbound.mime import MAX_MAIL
    from openplan.server.mailing.inbox import spool

    settings = _settings(data, config)
    content = sys.stdin.buffer.read(MAX_MAIL + 1)
    try:
        if not settings.data.is_dir():
            raise FileNotFoundError(f"there is no folder {settings.data}")
        spool(settings.data / "spool", content)
    except OSError as error:
        typer.echo(f"openplan: the mail cannot be kept: {error}", err=True)
        raise typer.Exit(TRY_LATER) from None


@app.command()
def check(data: Data = None, config: Config = None) -> None:
    """Try everything that is set up for mail, and say what is wrong.

    Example: openplan mail check --config openplan.toml
    """
    from openplan.server.mailing.inbox import check_mail

    wrong = False
    for what, trouble in asyncio.run(check_mail(_settings(data, config))):
        typer.echo(f"{what:12} {trouble or 'ok'}")
        wrong |= bool(trouble)
    raise typer.Exit(1 if wrong else 0)


@app.command("explain")
def explain_(
    file: Annotated[Path, typer.Argument(help="A mail as it was received (.eml).")],
    game: Annotated[str, typer.Option(help="Whose orders it holds.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="As one object of JSON.")] = False,
) -> None:
    """Say what the judge reads in a mail, line by line, without a server and without effect.

    Example: openplan mail explain order.eml --game cube
    """
    from openplan.cli.arguments import find_game
    from openplan.core.registry import all_games
    from openplan.decks import load_deck
    from openplan.mail.commands.explaining import explain

    games = [find_game(game)] if game else [found for _, found in sorted(all_games().items())]
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}") from None
    found = explain(raw, [(one, load_deck(one)) for one in games])
    if as_json:
        whole = asdict(found)
        typer.echo(json.dumps({key: whole[key] for key in PROMISED}, ensure_ascii=False))
        return
    typer.echo(f"{found.result} {found.code}".rstrip() + (f": {found.reason}" * bool(found.reason)))
    typer.echo(f"token: {found.token or 'none'}; read as orders of {found.game}")
    for item in found.items:
        typer.echo("\n".join(f"{item.first:4}| {line}" for line in item.text.splitlines()))
        said = item.order or item.command if item.verdict != "refused" else item.reason
        typer.echo(f"    {item.verdict}: {said or item.reason}")


@app.command("letters")
def letters_(data: Data = None, config: Config = None) -> None:
    """List the letters in the folder into which they are written where no SMTP server is set up.

    Example: openplan mail letters --data ./data
    """
    from email import message_from_bytes
    from email.policy import default

    folder = _settings(data, config).data / "letters"
    files = sorted(folder.glob("*.eml"), key=lambda file: file.stat().st_mtime_ns)
    for file in files:
        letter = message_from_bytes(file.read_bytes(), policy=default)
        typer.echo(f"{letter['Date']}  {letter['To']}  {letter['Subject']}\n    {file}")
    if not files:
        typer.echo(f"there are no letters in {folder}")


@app.command("print")
def print_(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Its id, as in its address.")],
    seat: Annotated[
        str, typer.Option(metavar="SEAT", help="Whose letter; all seats if none.")
    ] = "",
    out: Annotated[Path, typer.Option(metavar="FILE", help="The PDF.")] = Path("turn.pdf"),
    data: Data = None,
    config: Config = None,
) -> None:
    """Print the last turn for players without a computer: what happened, the table, the hand, and a
    form to fill in with a pen. The game master types it in (`ORDERS FOR`).

    Whoever prints a seat's letter can read its hand: leave it folded.

    Example: openplan mail print J2gT3... --seat S --out sal.pdf
    """
    from openplan.cli.admin import handed
    from openplan.server.mailing.inbox import print_turn

    settings = _settings(data, config)
    pdf = handed(
        data,
        config,
        "print",
        lambda store: print_turn(store, settings, table, seat),
        table=table,
        seat=seat,
    )
    try:
        out.write_bytes(base64.b64decode(pdf))
    except OSError as error:
        raise CommandError(f"{out} cannot be written: {error.strerror}") from None
    typer.echo(f"{out}")


def _settings(data: Path | None, config: Path | None) -> Any:
    from openplan.server.settings import SettingsError, read_settings

    try:
        return read_settings(file=config, data=data)
    except SettingsError as error:
        raise CommandError(str(error)) from None
