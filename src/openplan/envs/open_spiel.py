"""OpenSpiel: both games as `pyspiel` games, once this module is imported.

    import openplan.envs.open_spiel
    game = pyspiel.load_game("human_resources(promo=yes)")

Parameters are the house rules (with `_` for `-`), `deck` and `window`. Chance is explicit: the deal
is drawn card by card before anybody acts, and no chance is left then. Seats act one after the
other, a step of a move at a time; of sealed orders nobody sees anything before all are given.

What a seat is told comes from its view (`Game.view`) and from what everybody was told, and from
nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Any, Final

import numpy as np

from openplan.core.deal import Chance
from openplan.core.game import OPEN, AnyGame, Happening, Seat, Viewer
from openplan.core.registry import game_named
from openplan.envs.setting import Bytes, Setting, laid_over, rewards_of, setting
from openplan.render.text import draw_scene

try:
    import pyspiel
except ImportError as error:
    raise ImportError(
        "openplan.envs.open_spiel needs OpenSpiel: pip install 'openplan[open_spiel]'"
    ) from error

TOLD_BYTES: Final = 12_288
"""The past in an information state's tensor has that much room; beyond it, the latest is kept."""

# -- The deal, card by card ------------------------------------------------------------------


class _Wanted(Exception):
    """The deal cannot go on before one of these is drawn."""

    def __init__(self, label: str, names: tuple[str, ...]) -> None:
        super().__init__(label)
        self.label = label
        self.names = names


class _Drawn(Chance):
    """Chance that somebody else has decided so far."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(())
        self._names = list(names)

    def draw(self, label: str, pool: Iterable[str], count: int) -> tuple[str, ...]:
        left = sorted(pool)
        drawn: list[str] = []
        while len(drawn) < count:
            if not self._names:
                raise _Wanted(label, tuple(left))
            drawn.append(self._names.pop(0))
            left.remove(drawn[-1])
        return tuple(drawn)


# -- A match's course ------------------------------------------------------------------------


class _Desks:
    """Where the seat to act makes its move, and where others look on; what is asked there again is
    not set up again. All states of a setting share them."""

    def __init__(self, played: Setting) -> None:
        encoding = played.encoding
        self.asked = played.learning.desk(encoding.window)
        self.watched = played.learning.desk(encoding.window)
        self.mask: Bytes = laid_over(self.asked.mask, encoding.action_count)
        self.asked_sees: Bytes = laid_over(self.asked.seen, encoding.observation_size)
        self.watched_sees: Bytes = laid_over(self.watched.seen, encoding.observation_size)
        self.user: tuple[object, int] | None = None
        self.steps: list[int] = []


Key = tuple[str, str, tuple[tuple[str, str], ...], int | None]
"""What a setting is made of: game, deck, house rules, window."""


@lru_cache(maxsize=32)
def _made(key: Key) -> tuple[Setting, _Desks, tuple[str, ...]]:
    game, deck, house, window = key
    played = setting(game, deck, dict(house), window)
    # What chance can decide: cards, and seats where the first is drawn.
    return played, _Desks(played), (*played.deck.cards, *played.game.seats)


class Course:
    """A match as far as it has come, the whole truth about it: what was drawn, the table, what
    everybody was told, and the steps that the seat to act has taken."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.drawn: list[str] = []
        self.wanted: _Wanted | None = None
        self.state: Any = None
        self.told: list[list[str]] = []
        self.steps: list[int] = []
        self.ply = 0
        self._deal_on()

    @property
    def setting(self) -> Setting:
        return _made(self.key)[0]

    @property
    def game(self) -> AnyGame:
        return self.setting.game

    @property
    def outcomes(self) -> tuple[str, ...]:
        return _made(self.key)[2]

    # Copies; as bytes.

    def __deepcopy__(self, memo: object) -> Course:
        return _restored(*self._parts())

    def __reduce__(self) -> tuple[Callable[..., Course], tuple[Any, ...]]:
        return _restored, self._parts()

    def _parts(self) -> tuple[Any, ...]:
        table = None if self.state is None else self.game.dump(self.state)
        return self.key, [*self.drawn], table, [*self.told], [*self.steps]

    # Going on.

    def draw(self, outcome: int) -> None:
        name = self.outcomes[outcome]
        if self.wanted is None or name not in self.wanted.names:
            raise ValueError(f"{name} cannot be drawn now")
        self.drawn.append(name)
        self._deal_on()

    def _deal_on(self) -> None:
        game, deck, house = self.game, self.setting.deck, self.setting.house
        try:
            deal = game.deal(deck, house, _Drawn(self.drawn))
        except _Wanted as wanted:
            self.wanted = wanted
            return
        self.wanted = None
        self.state = game.start(deck, house, deal)

    @property
    def seat(self) -> Seat | None:
        """Who is to act; nobody during the deal, and when it is over."""
        if self.state is None:
            return None
        awaited = self.game.awaited(self.state)
        return min(awaited) if awaited else None

    def take(self, action: int) -> None:
        seat = self.seat
        assert seat is not None
        desks = self._at_desk(seat)
        move = desks.asked.take(action)
        desks.user = None
        if move is None:
            self.steps.append(action)
            desks.user, desks.steps = (self, self.ply), [*self.steps]
            return
        self.steps.clear()
        self.play(seat, move)

    def play(self, seat: Seat, move: Any) -> None:
        game = self.game
        self._tell(game.seats[seat], game.play(self.state, seat, move))
        if not game.awaited(self.state) and game.outcome(self.state) is None:
            self._tell("", game.deadline(self.state))

    def _tell(self, who: str, happened: Happening) -> None:
        self.ply += 1
        text = happened.text_for(None)
        told = [*([] if text is None else [text]), *happened.facts_for(None)]
        if told:
            self.told.append([who, *told])

    def _at_desk(self, seat: Seat) -> _Desks:
        desks = _made(self.key)[1]
        if desks.user != (self, self.ply) or desks.steps != self.steps:
            desks.user = None
            desks.asked.ask(self.game.view(self.state, seat))
            for action in self.steps:
                desks.asked.take(action)
            desks.user, desks.steps = (self, self.ply), [*self.steps]
        return desks

    def possible(self) -> list[int]:
        seat = self.seat
        assert seat is not None
        found: list[int] = np.flatnonzero(self._at_desk(seat).mask).tolist()
        return found

    def returns(self) -> list[float]:
        seats = len(self.game.seats)
        outcome = None if self.state is None else self.game.outcome(self.state)
        return [0.0] * seats if outcome is None else rewards_of(outcome, seats)

    # What is known.

    def observation(self, seat: Seat) -> Bytes:
        if self.state is None:
            return np.zeros(self.setting.encoding.observation_size, np.uint8)
        if seat == self.seat:
            desks = self._at_desk(seat)
            desks.asked.observe()
            return desks.asked_sees
        desks = _made(self.key)[1]
        desks.watched.watch(self.game.view(self.state, seat))
        desks.watched.observe()
        return desks.watched_sees

    def known(self, viewer: Viewer) -> dict[str, object]:
        """All that a viewer can see now; for who is to act, with the steps taken."""
        if self.state is None:
            return {"deal": len(self.drawn)}
        known = self.game.view_data(self.game.view(self.state, viewer))
        if viewer is not None and viewer == self.seat:
            known["steps"] = [self.setting.meaning(action) for action in self.steps]
        return known

    def past(self, seat: Seat) -> list[list[str]]:
        """All that a seat was told, from the beginning on."""
        if self.state is None:
            return []
        own = self.setting.learning.memory(self.game.view(self.state, seat))
        return [*self.told, own]

    def resampled(self, seat: Seat, rng: Random) -> Course:
        """Another truth that this seat cannot tell from this one, as likely as chance makes it.
        What another has chosen of its move so far nobody knows: there it begins anew. Sealed orders
        of others are any that they could have given."""
        if self.state is None:
            raise ValueError("there is nothing to know before the deal is over")
        game = self.game
        other = Course(self.key)
        other.wanted = None
        other.state = game.determinize(game.view(self.state, seat), rng)
        other.told = [*self.told]
        while other.seat != self.seat:
            hidden = other.seat
            assert hidden is not None
            game.play(other.state, hidden, other._any_move(hidden, rng))
            other.ply += 1
        if seat == self.seat:
            other.steps = [*self.steps]
        return other

    def _any_move(self, seat: Seat, rng: Random) -> Any:
        desks = self._at_desk(seat)
        desks.user = None
        move = None
        while move is None:
            move = desks.asked.take(rng.choice(np.flatnonzero(desks.mask).tolist()))
        return move


def _restored(
    key: Key, drawn: list[str], table: bytes | None, told: list[list[str]], steps: list[int]
) -> Course:
    course = Course(key)
    course.drawn, course.told, course.steps = drawn, told, steps
    if table is None:
        course._deal_on()
    else:
        course.wanted = None
        course.state = course.game.load(course.setting.deck, table)
    return course


# -- As OpenSpiel asks for it ----------------------------------------------------------------


class State(pyspiel.State):  # type: ignore[misc]
    """Copied and serialised by OpenSpiel through its one attribute."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.course = Course(game.key)

    def current_player(self) -> int:
        course = self.course
        if course.wanted is not None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = course.seat
        return int(pyspiel.PlayerId.TERMINAL if seat is None else seat)

    def is_terminal(self) -> bool:
        return self.course.wanted is None and self.course.seat is None

    def _legal_actions(self, player: int) -> list[int]:
        return self.course.possible()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        course = self.course
        assert course.wanted is not None
        names = course.wanted.names
        return [(number, 1 / len(names)) for number in sorted(map(course.outcomes.index, names))]

    def _apply_action(self, action: int) -> None:
        if self.course.wanted is not None:
            self.course.draw(action)
        else:
            self.course.take(action)

    def _action_to_string(self, player: int, action: int) -> str:
        course = self.course
        if player == pyspiel.PlayerId.CHANCE:
            label = "" if course.wanted is None else f" {course.wanted.label}"
            return f"deal{label} {course.outcomes[action]}"
        return course.setting.meaning(action)

    def returns(self) -> list[float]:
        return self.course.returns()

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> State:
        """Its history is empty: how the other truth came about is not made up."""
        other: State = self.get_game().new_initial_state()
        other.course = self.course.resampled(Seat(player_id), Random(sampler()))
        return other

    def __str__(self) -> str:
        course = self.course
        if course.wanted is not None:
            return f"dealt: {' '.join(course.drawn)}"
        table = draw_scene(course.game.scene(course.game.view(course.state, OPEN)))
        steps = ", ".join(course.setting.meaning(action) for action in course.steps)
        return f"{table}\nsteps: {steps or 'none'}"


class Observer:
    """What a player knows, as numbers (`tensor`, by parts in `dict`) and as JSON."""

    def __init__(self, played: Setting, kind: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise ValueError(f"there are no parameters for observations, such as {params}")
        self._past = kind.perfect_recall
        self._public = kind.public_info
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if self._public and self._private:
            size = played.encoding.observation_size
            self.tensor = np.zeros(size + (TOLD_BYTES if self._past else 0), np.float32)
            self.dict["observation"] = self.tensor[:size]
            if self._past:
                self.dict["told"] = self.tensor[size:]

    def set_from(self, state: State, player: int) -> None:
        """The observation as everywhere; what was told from the beginning on as bytes of text."""
        course = state.course
        self.dict["observation"][:] = course.observation(Seat(player))
        if self._past:
            text = _as_text(course.past(Seat(player))).encode()[-TOLD_BYTES:]
            self.dict["told"][:] = 0
            self.dict["told"][: len(text)] = np.frombuffer(text, np.uint8)

    def string_from(self, state: State, player: int) -> str:
        course = state.course
        known = course.known(Seat(player) if self._private else None)
        if not self._public:
            public = course.known(None)
            known = {key: value for key, value in known.items() if public.get(key) != value}
        if self._past:
            told = course.past(Seat(player)) if self._private else course.told
            known["told"] = told
        return _as_text(known)


def _as_text(content: object) -> str:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)


class Game(pyspiel.Game):  # type: ignore[misc]
    kind: Any
    name: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        wished = dict(params or {})
        deck, window = str(wished.pop("deck", "")), int(wished.pop("window", 0))
        house = {name.replace("_", "-"): str(choice) for name, choice in wished.items()}
        self.key: Key = (self.name, deck, tuple(sorted(house.items())), window or None)
        played, _, outcomes = _made(self.key)
        info = pyspiel.GameInfo(
            num_distinct_actions=played.encoding.action_count,
            max_chance_outcomes=len(outcomes),
            num_players=len(played.game.seats),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=played.learning.longest,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> State:
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(_made(self.key)[0], kind, params)

    def max_chance_nodes_in_history(self) -> int:
        return self.max_chance_outcomes()  # type: ignore[no-any-return]


def _register(game: AnyGame) -> type[Game]:
    rules = {rule.name.replace("-", "_"): rule.choices[0] for rule in game.house_rules}
    seats = len(game.seats)
    kind = pyspiel.GameType(
        short_name=game.name.replace("-", "_"),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"deck": "", "window": 0, **rules},
    )
    made = type(f"{type(game).__name__}Game", (Game,), {"kind": kind, "name": game.name})
    pyspiel.register_game(kind, made)
    return made


HumanResourcesGame: Final = _register(game_named("human-resources"))
CubeFarmGame: Final = _register(game_named("cube-farm"))
