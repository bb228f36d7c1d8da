"""`openplan play`: a game in the terminal, against bots or with others at the same screen."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final, Protocol

import typer

from openplan.bots import STRONGEST, Bot, bot_named, ranking
from openplan.cli.arguments import (
    CommandError,
    DeckName,
    GameName,
    House,
    find_game,
    parse_house,
    parse_seat,
    read_text,
    write_text,
)
from openplan.cli.terminal import LeaveError, Terminal
from openplan.core.deal import seeded
from openplan.core.game import AnyGame, Event, GameError, Seat, Step, Viewer
from openplan.core.match import Match
from openplan.core.record import MAX_BYTES, read_record, write_record
from openplan.core.registry import game_named
from openplan.core.telling import in_sentences
from openplan.decks import find_deck, load_deck
from openplan.render.text import draw_card, draw_cards, draw_panel, draw_scene

WIDTH: Final = 80

HELP: Final = """\
Type a move as it is written in records, or one of these:
  ?             build a move step by step
  moves [WORD]  list all moves, or those with this word
  preview MOVE  what a move would do, without playing it
  hint          three good moves, with your chance to win after each
  undo          take back your last move, if nothing was revealed by it
  board         draw the table again
  card NAME     everything that is on a card
  discard       any heap by the beginning of its name
  save FILE     write the record; it shows every card, the hidden ones too
  resign        give up
  quit          leave"""


class Screen(Protocol):
    """What a session needs of a terminal."""

    def show(self, text: str = "") -> None: ...
    def ask(self, prompt: str) -> str: ...
    def clear(self) -> None: ...


def play(
    game: GameName,
    seat: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT=WHO", help="WHO is me or bot:NAME; repeatable."),
    ] = None,
    bot: Annotated[
        str,
        typer.Option(metavar="NAME", help="Who plays the other seats: intern, clerk or director."),
    ] = "",
    hot_seat: Annotated[
        bool, typer.Option("--hot-seat", help="All seats are people at this screen.")
    ] = False,
    house: House = [],  # noqa: B006 - typer reads it, nobody changes it
    deck: DeckName = "",
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the record when you leave.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a saved record.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="A deal that can be repeated, for tests.")
    ] = None,
) -> None:
    """Play a game. Without more you have the first seat and bots the others.

    Example: openplan play human --bot random --house promo=yes --save game.record
    """
    found = find_game(game)
    players = assign_seats(found, seat or [], bot, hot_seat)
    if save is not None and save.exists() and save != resume:
        raise CommandError(f"{save} exists already")
    if resume is not None and seed is not None:
        raise CommandError("--seed is for a new deal, and a resumed match has its own")
    if resume is not None:
        match = _resumed(found, resume, deck)
    else:
        names = [
            player.name if player else f"player {code}"
            for player, code in zip(players.values(), found.seats, strict=True)
        ]
        secret = "" if seed is None else seeded(seed)
        cards = load_deck(found, deck)
        match = Match.start(found, cards, parse_house(house), secret=secret, names=names)
    # Not the chance that made the deal: a bot would be given what the cards were shuffled by.
    bots_chance = Random(None if seed is None else f"{seed} bots")
    Session(match, players, Terminal(), bots_chance, save).run()


def assign_seats(
    game: AnyGame, pairs: Sequence[str], bot: str, hot_seat: bool
) -> dict[Seat, Bot | None]:
    """Who has which seat: a bot, or `None` for a person at this screen."""
    if hot_seat and (bot or pairs):
        raise CommandError("--hot-seat gives every seat to a person; leave out --bot and --seat")
    others = None if hot_seat else bot_named(bot or "clerk")
    players = {Seat(number): others for number in range(len(game.seats))}
    named: dict[Seat, Bot | None] = {}
    for pair in pairs:
        code, _, who = pair.partition("=")
        if who != "me" and not who.startswith("bot:"):
            raise CommandError(f"--seat is written A=me or A=bot:greedy, not {pair!r}")
        named[parse_seat(game, code)] = None if who == "me" else bot_named(who[4:])
    if not named:
        named = {Seat(0): None}
    return players | named


def _resumed(game: AnyGame, path: Path, deck: str) -> Match:
    given = load_deck(game, deck) if deck else None

    def find(of: AnyGame, name: str, content_hash: str) -> Any:
        return given if given and given.hash == content_hash else find_deck(of, name, content_hash)

    match = read_record(read_text(path, MAX_BYTES), game_named, find)
    if match.game.name != game.name:
        raise CommandError(f"{path} is a record of {match.game.title}, not of {game.title}")
    return match


class Session:
    """One match at one screen."""

    def __init__(
        self,
        match: Match,
        players: Mapping[Seat, Bot | None],
        screen: Screen,
        rng: Random,
        save: Path | None = None,
    ) -> None:
        self.match = match
        self.game = match.game
        self.players = players
        self.screen = screen
        self.rng = rng
        self.save = save
        self.saved: set[Path] = {save} if save else set()
        self.people = [seat for seat, bot in players.items() if bot is None]
        self.at_screen: Seat | None = None
        self.told: dict[Viewer, int] = dict.fromkeys([None, *players], match.ply)
        self.advised: set[Seat] = set()
        self.moves_made: list[tuple[Seat, int]] = []

    def run(self) -> None:
        try:
            self._introduce()
            while self.match.outcome is None:
                seat = min(self.match.awaited)
                bot = self.players[seat]
                if bot is not None:
                    move = bot.choose(self.game, self.match.view(seat), self.rng)
                    self._submit(seat, self.game.format_move(self.match.deck, move))
                    if not self.people:
                        self._tell(None)
                else:
                    self._turn(seat)
            self._finish()
        except LeaveError:
            pass
        finally:
            if self.save is not None:
                self._write(self.save)

    # -- What is shown -----------------------------------------------------------------------

    def _introduce(self) -> None:
        self.screen.show(self.game.credit)
        for seat, bot in self.players.items():
            who = "you" if len(self.people) == 1 else "a person at this screen"
            if bot is not None:
                who = f"the bot {bot.name}, which {bot.meaning}"
            self.screen.show(f"  {self.game.seats[seat]}  {who}")
        self.screen.show()

    @property
    def _viewer(self) -> Viewer:
        """Who looks when nobody's turn is shown: the only person, else a spectator."""
        return self.people[0] if len(self.people) == 1 else None

    def _draw(self, view: Any) -> None:
        self.screen.show(draw_scene(self.game.scene(view), WIDTH))

    def _say(self, events: Sequence[Event], viewer: Viewer) -> None:
        """What happened at once, as a paragraph."""
        written = " ".join(in_sentences(self.game, events, viewer))
        self.screen.show(textwrap.fill(written, WIDTH, subsequent_indent="  "))

    def _tell(self, viewer: Viewer) -> None:
        """What happened since this viewer last looked, as far as it may know."""
        for happening in self.match.happenings[self.told[viewer] :]:
            if happening.events:
                self._say(happening.events, viewer)
        self.told[viewer] = self.match.ply

    def _hand_over(self, seat: Seat) -> None:
        """Between two people nothing of either hand is on the screen."""
        if self.at_screen is not None:
            self.screen.ask("Press Enter to clear the screen, then hand it over. ")
            self.screen.clear()
        code = self.game.seats[seat]
        self.screen.ask(f"{code} is next. Only {code} should see the screen now: press Enter. ")
        self.screen.clear()

    def _finish(self) -> None:
        outcome = self.match.outcome
        assert outcome is not None
        for seat in self.people[:1]:
            self._tell(seat)
        self.screen.show()
        self._draw(self.match.view(self._viewer))
        seats = self.game.seats
        points = ", ".join(f"{code} {n}" for code, n in zip(seats, outcome.points, strict=True))
        winners = " and ".join(seats[seat] for seat in outcome.winners)
        result = f"{winners} won" if winners else "A draw"
        reason = self.game.say(outcome.reason, {})
        self.screen.show(f"{result}: {reason} [{outcome.clause}]. Points: {points}.")

    # -- A person's turn ---------------------------------------------------------------------

    def _turn(self, seat: Seat) -> None:
        if len(self.people) > 1 and seat != self.at_screen:
            self._hand_over(seat)
        self.at_screen = seat
        self._tell(seat)
        self.screen.show()
        self._draw(self.match.view(seat))
        if seat not in self.advised:
            self.advised.add(seat)
            example = _first_move(self.game, self.match.view(seat))
            self.screen.show(f"Type a move such as `{example}`, ? to build one, or help.")
        ply = self.match.ply
        while self.match.ply == ply:
            line = self.screen.ask(f"{self.game.seats[seat]}> ")
            try:
                self._obey(seat, line)
            except (GameError, CommandError) as error:
                self.screen.show(f"{error}")
        if len(self.people) > 1 and self.match.outcome is None:
            self._tell(seat)

    def _obey(self, seat: Seat, line: str) -> None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        commands: dict[str, Callable[[Seat, str], None]] = {
            "?": self._build,
            "moves": self._list,
            "preview": self._preview,
            "hint": self._hint,
            "undo": self._undo,
            "board": lambda seat, _: self._draw(self.match.view(seat)),
            "card": self._card,
            "save": self._save,
            "resign": self._resign,
            "help": lambda *_: self.screen.show(HELP),
            "quit": self._quit,
        }
        if word.lower() in commands:
            commands[word.lower()](seat, rest)
        elif line and not self._heap(seat, line):
            self._submit(seat, line)

    def _submit(self, seat: Seat, text: str) -> None:
        view = self.match.view(seat)
        self.match.submit(seat, text)
        self.moves_made.append((seat, self.match.ply))
        if self.players[seat] is None:
            move = self.game.parse_move(self.match.deck, text)
            for warning in self.game.warnings(view, move):
                sentence = self.game.say(warning.code, warning.params)
                self.screen.show(f"Careful: {sentence} [{warning.clause}].")

    def _build(self, seat: Seat, _: str) -> None:
        """A move from a menu of steps. A step without a choice is taken by itself."""
        view = self.match.view(seat)
        steps: list[str] = []
        chosen: list[int] = []  # how many steps there were before each choice
        while True:
            options = self.game.options(view, steps)
            if not options.next:
                break
            if len(options.next) == 1 and options.whole is None:
                steps.append(options.next[0].value)
                continue
            self._show_menu(steps, options.next, options.whole)
            answer = self.screen.ask("Number, b for back, Enter to leave the menu: ")
            if not answer:
                return
            if answer.lower() in ("b", "back"):
                steps = steps[: chosen.pop()] if chosen else []
            elif answer == "0" and options.whole is not None:
                break
            elif (step := _picked(options.next, answer)) is not None:
                chosen.append(len(steps))
                steps.append(step.value)
            elif answer.isdecimal():
                self.screen.show(f"There is no {answer} in this menu.")
            else:  # whoever types a move or a command here means it
                self._obey(seat, answer)
                return
        if options.whole is not None:
            self.screen.show(f"-> {options.whole}")
            self._submit(seat, options.whole)

    def _show_menu(self, steps: list[str], choices: Sequence[Step], whole: str | None) -> None:
        self.screen.show(" ".join(steps) or "Which?")
        if whole is not None:
            self.screen.show(f"   0  play it so: {whole}")
        lines = [f"{n:4}  {self._label(step)}" for n, step in enumerate(choices, 1)]
        self.screen.show("\n".join(_in_columns(lines)))

    def _label(self, step: Step) -> str:
        if step.value in self.match.deck.cards:
            picture = self.game.card_picture(self.match.deck, step.value)
            return f"{step.value}  {picture.title}"
        return step.value

    def _list(self, seat: Seat, word: str) -> None:
        view, part = self.match.view(seat), word.partition(" ")[0]
        if part in self.game.parts:
            moves, word = self.game.moves_of_part(view, part), word[len(part) :].strip()
        else:
            moves = self.game.moves(view)
        texts = [self.game.format_move(self.match.deck, move) for move in moves]
        texts = [text for text in texts if word.lower() in text.lower()]
        self.screen.show("\n".join([*_in_columns(texts), f"Moves: {len(texts)}"]))

    def _preview(self, seat: Seat, text: str) -> None:
        view = self.match.view(seat)
        move = self.game.parse_move(self.match.deck, text)
        refusal = self.game.why_not(view, move)
        if refusal is not None:
            self.screen.show(f"{self.game.say(refusal.code, refusal.params)} [{refusal.clause}]")
            return
        after = self.game.preview(view, move)
        self._draw(after.view)
        self._say(after.events, seat)
        self.screen.show(f"That would be {after.points:+} points. Nothing was played.")

    def _hint(self, seat: Seat, _: str) -> None:
        view = self.match.view(seat)
        advice = STRONGEST.advice(self.game, view, self.rng)
        for move, chance in advice[:3]:
            text = self.game.format_move(self.match.deck, move)
            self.screen.show(f"  {chance:4.0%} to win  {text}")
        if not advice:
            for worth, move in ranking(self.game, view)[:3]:
                self.screen.show(f"{worth:+8.2f}  {self.game.format_move(self.match.deck, move)}")

    def _undo(self, seat: Seat, _: str) -> None:
        if not self.moves_made or self.moves_made[-1][0] != seat:
            raise CommandError("there is no move of yours to take back")
        self.match.enter("take-back", seat, str(self.moves_made[-1][1]))
        self.moves_made.pop()
        self.screen.show("Your last move is taken back.")

    def _card(self, _: Seat, name: str) -> None:
        known = {card.casefold(): card for card in self.match.deck.cards}
        if name.casefold() not in known:
            raise CommandError(
                f"there is no card {name!r}; a card is called such as {next(iter(known.values()))}"
            )
        picture = self.game.card_picture(self.match.deck, known[name.casefold()])
        self.screen.show("\n".join(draw_card(picture)))

    def _heap(self, seat: Seat, word: str) -> bool:
        """Show every heap whose name begins so; was there one?"""
        panels = self.game.scene(self.match.view(seat)).panels
        named = [panel for panel in panels if panel.title.casefold().startswith(word.casefold())]
        for panel in named:
            is_open = panel.cards and all(card.name for card in panel.cards)
            lines = [panel.title, *draw_cards(panel.cards)] if is_open else draw_panel(panel)
            self.screen.show("\n".join(lines))
        return bool(named)

    def _resign(self, seat: Seat, _: str) -> None:
        if self.screen.ask("Resign? Type yes: ").lower() in ("y", "yes"):
            self.match.enter("resign", seat)

    def _save(self, _: Seat, name: str) -> None:
        if not name:
            raise CommandError("say where: save FILE")
        path = Path(name).expanduser()
        if path.exists() and path not in self.saved:
            raise CommandError(f"{path} exists already")
        self._write(path)

    def _write(self, path: Path) -> None:
        write_text(path, write_record(self.match))
        self.saved.add(path)
        self.screen.show(f"The record is in {path}.")

    def _quit(self, *_: object) -> None:
        raise LeaveError


def _first_move(game: AnyGame, view: Any) -> str:
    """Some move, as an example of how one is written."""
    steps: list[str] = []
    while (options := game.options(view, steps)).whole is None:
        steps.append(options.next[0].value)
    return options.whole


def _picked(choices: Sequence[Step], answer: str) -> Step | None:
    """By its number or by its name."""
    if answer.isdecimal() and 1 <= int(answer) <= len(choices):
        return choices[int(answer) - 1]
    return next((step for step in choices if step.value.casefold() == answer.casefold()), None)


def _in_columns(texts: Sequence[str]) -> list[str]:
    """Read down, then across, within the width."""
    if not texts:
        return []
    size = max(len(text) for text in texts) + 2
    columns = max(1, WIDTH // size)
    rows = -(-len(texts) // columns)
    return ["".join(f"{text:{size}}" for text in texts[row::rows]).rstrip() for row in range(rows)]
