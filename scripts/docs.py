"""Write docs/reference/ from the games themselves: `make docs`.

Cards come from the decks, cases from the files that the tests run, the notation from its module's
own words, the command from its help. Nothing there is written by hand, and a test compares.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

import typer.main

from openplan.cli.cases import read_cases
from openplan.cli.main import app
from openplan.core import cases, grid
from openplan.core.deal import seeded
from openplan.core.deck import Deck
from openplan.core.game import AnyGame, Illegal
from openplan.core.learning import Part
from openplan.core.match import Match, complete_house
from openplan.core.registry import all_games
from openplan.decks import load_deck, shipped
from openplan.mail.commands import grammar as mail_grammar
from openplan.render.text import draw_board, draw_cards

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
MADE = "<!-- Written by scripts/docs.py: change its source, then `make docs`. -->"
WIDTH = 80


def main() -> None:
    made = pages()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    for file in FOLDER.glob("*.md"):
        if file.name not in made:
            file.unlink()


def pages() -> dict[str, str]:
    """Every page by the name of its file."""
    command = typer.main.get_command(app)
    found = {
        "command.md": _page("The command `openplan`", _help(command, "openplan")),
        "mail-grammar.md": _page("What a mail may say", _mail_grammar()),
    }
    for name, game in sorted(all_games().items()):
        found[f"cards-{name}.md"] = _page(f"The cards of {game.title}", _cards(game))
        found[f"cases-{name}.md"] = _page(f"The numbered cases of {game.title}", _cases(game))
        found[f"notation-{name}.md"] = _page(f"How {game.title} is written", _notation(game))
        if encoding := _encoding(game):
            found[f"encoding-{name}.md"] = _page(f"{game.title} in numbers", encoding)
    return found


def clause_of(case: cases.Case) -> str:
    """HR.5.4.2 is a case of HR-5.4."""
    return case.name.rpartition(".")[0].replace(".", "-", 1)


# -- What a game has -------------------------------------------------------------------------


def _cards(game: AnyGame) -> Iterator[str]:
    yield game.credit
    for name in shipped(game):
        deck = load_deck(game, name)
        yield f"## {deck.title}"
        yield f"{len(deck.cards)} cards. `openplan deck show {game.name}` draws them too."
        pictures = [game.card_picture(deck, card) for card in deck.cards]
        for (_, back), alike in groupby(pictures, lambda card: (card.name[:1], card.back)):
            group = list(alike)
            yield f"### {group[0].name} to {group[-1].name}, {back}"
            yield _drawn(draw_cards(group, WIDTH))


def _encoding(game: AnyGame) -> list[str]:
    try:
        learning = game.learning(load_deck(game), complete_house(game, {}))
    except Illegal:
        return []  # a game need not offer environments
    encoding = learning.encoding(learning.window)
    head = (
        f"Of the house deck, with a window of {encoding.window} by {encoding.window} squares. "
        "[For researchers](../research.md) says how to use it. Cards are numbered in the order of "
        f"[their page](cards-{game.name}.md)."
    )
    return [
        head,
        f"## {encoding.action_count:,} actions",
        _parts(encoding.actions),
        f"## {encoding.observation_size:,} bytes of an observation",
        _parts(encoding.observation),
    ]


def _parts(parts: Iterable[Part]) -> str:
    rows = ["| from | to | name | meaning |", "| ---: | ---: | --- | --- |"]
    first = 0
    for part in parts:
        last = first + part.size - 1
        rows.append(f"| {first} | {last} | {part.name} | {part.meaning} |")
        first = last + 1
    return "\n".join(rows)


def _cases(game: AnyGame) -> Iterator[str]:
    deck = load_deck(game)
    by_clause: dict[str, list[cases.Case]] = {}
    for case in read_cases(game):
        by_clause.setdefault(clause_of(case), []).append(case)
    yield _doc(cases)
    yield f"Every case is also a test; `openplan cases {game.name}` runs them all."
    chapters = groupby(by_clause, lambda clause: clause.partition(".")[0])
    links = (" ".join(f"[{clause}](#{clause.lower()})" for clause in part) for _, part in chapters)
    yield "\n".join(f"- {line}" for line in links)
    for clause, group in by_clause.items():
        anchor = clause.lower()
        yield f'## <a id="{anchor}"></a>[{clause}](../rules/{game.name}.md#{anchor})'
        for case in group:
            yield f"### {case.name} {case.title}"
            yield _drawn([*_table(game, deck, case), *_course(case)])


def _table(game: AnyGame, deck: Deck, case: cases.Case) -> Iterator[str]:
    """The boards, if the case draws one, and what else it says of the table."""
    told = {key: value for key, value in case.position.items() if isinstance(value, str)}
    if len(told) < len(case.position):
        view = Match.from_position(game, deck, None, case.position).view(None)
        for board in game.scene(view).boards:
            for block in draw_board(board, WIDTH):
                yield from (*block, "")
    yield from (f"{key:8} {value or cases.NOTHING}" for key, value in told.items())


def _course(case: cases.Case) -> Iterator[str]:
    """What is done, refused and expected, as the case's file has it."""
    for line in case.lines:
        who = f"{line.seat}: " if line.seat else ""
        yield f"{line.verb} {who}{line.text}" + (f" = {line.refusal}" if line.refusal else "")
        yield from (*(f"  {row}" for row in line.rows), f"at {line.at}") if line.rows else ()


def _notation(game: AnyGame) -> Iterator[str]:
    package = type(game).__module__.rpartition(".")[0]
    # A module's first line is for those who read the module.
    yield _doc(import_module(f"{package}.text.notation")).partition("\n")[2].strip()
    yield f"## Squares\n\n{_doc(grid)}\n{_doc(grid.parse_square)}"


# -- What a mail may say ---------------------------------------------------------------------


def _mail_grammar() -> Iterator[str]:
    yield _doc(mail_grammar).partition("\n")[2].strip()
    for title, whose in mail_grammar.GROUPS:
        verbs = [verb for verb in mail_grammar.VERBS.values() if verb.whose == whose]
        rows = [
            f"| `{f'{verb.word} {verb.en.form}'.strip()}` | {verb.en.meaning} |" for verb in verbs
        ]
        yield "\n".join([f"## {title}", "", "| written | what it does |", "| --- | --- |", *rows])
    for name, game in sorted(all_games().items()):
        match = Match.start(game, load_deck(game), secret=seeded(1))
        seat = min(match.to_act)
        yield f"## Orders of {game.title}"
        yield f"As in its [notation](notation-{name}.md). A form to fill in, when a game begins:"
        yield _drawn(game.order_form(match.view(seat)))


# -- The command, and how a page is made -----------------------------------------------------


def _help(command: Any, name: str) -> Iterator[str]:  # typer keeps its types to itself
    context = command.context_class(command, info_name=name, terminal_width=WIDTH)
    yield f"## {name}"
    yield _drawn(command.get_help(context).splitlines())
    for child, subcommand in sorted(getattr(command, "commands", {}).items()):
        yield from _help(subcommand, f"{name} {child}")


def _page(title: str, parts: Iterable[str]) -> str:
    return "\n\n".join([f"# {title}", MADE, *parts]) + "\n"


def _drawn(lines: Iterable[str]) -> str:
    return "\n".join(["```text", *(line.rstrip() for line in lines), "```"])


def _doc(thing: object) -> str:
    """What a module or a function says of itself; its indented examples become blocks."""
    text = inspect.getdoc(thing) or ""
    return re.sub(r"(?m)(^ {4}.*\n)+", lambda block: _example(block[0]), f"{text}\n").strip()


def _example(block: str) -> str:
    return _drawn(inspect.cleandoc(block).splitlines()) + "\n"


if __name__ == "__main__":
    main()
