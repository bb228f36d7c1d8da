"""`openplan cases`: run a game's numbered cases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from openplan.cli.arguments import CommandError, GameName, find_game, read_text
from openplan.core.cases import Case, CaseError, parse_cases, run_case
from openplan.core.game import OPEN, AnyGame
from openplan.core.match import Match
from openplan.core.registry import files_beside
from openplan.decks import load_deck

MAX_BYTES = 1024 * 1024


def cases(
    game: GameName,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="Case files, instead of the game's own."),
    ] = None,
    only: Annotated[
        str, typer.Option(metavar="NUMBER", help="Only a chapter, a clause or a case.")
    ] = "",
    draw: Annotated[bool, typer.Option("--draw", help="Draw the table of every case.")] = False,
) -> None:
    """Run the numbered cases that show what each rule allows and forbids.

    Example: openplan cases human --only HR.5.4
    """
    from openplan.cli.terminal import Terminal

    terminal = Terminal()
    found = find_game(game)
    deck = load_deck(found)
    passed = failed = 0
    for case in read_cases(found, paths):
        if not f"{case.name}.".startswith(only.rstrip(".") + ".") and only:
            continue
        outcome = run_case(found, deck, case)
        passed, failed = passed + (outcome is None), failed + (outcome is not None)
        if outcome is not None:
            terminal.show(str(outcome))
            terminal.show(_picture(outcome.match) if outcome.match else "")
        elif draw:
            terminal.show(f"{case.name} {case.title}")
            terminal.show(_picture(Match.from_position(found, deck, None, case.position)))
    if only and not passed and not failed:
        raise CommandError(f"{found.title} has no case {only!r}")
    terminal.show(f"{passed} passed, {failed} failed")
    raise typer.Exit(1 if failed else 0)


def read_cases(game: AnyGame, paths: list[Path] | None = None) -> Iterator[Case]:
    """The cases of these files, or of all files in the folder `cases` beside the game's rules."""
    seen: dict[str, Case] = {}
    for name, text in _texts(game, paths):
        try:
            found = parse_cases(text, name, game)
        except CaseError as error:
            raise CommandError(str(error)) from None
        for case in found:
            if case.name in seen:
                first = seen[case.name]
                raise CommandError(
                    f"{name}:{case.line}: {case.name} is also at {first.source}:{first.line}"
                )
            seen[case.name] = case
            yield case


def _texts(game: AnyGame, paths: list[Path] | None) -> Iterator[tuple[str, str]]:
    if paths:
        for path in paths:
            yield str(path), read_text(path, MAX_BYTES)
        return
    yield from files_beside(game, "cases", ".case")


def _picture(match: Match) -> str:
    from openplan.render.text import draw_scene

    return draw_scene(match.game.scene(match.view(OPEN)))
