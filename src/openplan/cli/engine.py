"""`openplan engine`: a match driven by lines of JSON, for tools and bots in any language.

Every line in is a request, every line out its answer, in the same order:

    {"do": "new", "game": "human-resources", "seed": 7}
    {"ok": true, "game": "human-resources", "to_act": ["A"], "awaited": ["A"], "outcome": null}
    {"do": "play", "move": "place P01d E9"}
    {"ok": false, "code": "not-adjacent", "reason": "...", "clause": "HR-4.1"}

A request that cannot be met changes nothing, whatever is wrong with it, and the next one is read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, BinaryIO, Final, NoReturn

from openplan.cli.arguments import find_game, parse_seat
from openplan.core.deal import seeded
from openplan.core.deck import Deck, DeckError
from openplan.core.game import AnyGame, GameError, Seat, Unreadable
from openplan.core.match import Match
from openplan.core.record import read_record, viewer_named, write_record
from openplan.core.registry import all_games, game_named
from openplan.core.scene import data_of
from openplan.core.telling import tell_event, tell_outcome
from openplan.decks import find_deck, load_deck, shipped

MAX_LINE: Final = 1024 * 1024
MAX_DEPTH: Final = 20

Request = Mapping[str, Any]
Answer = dict[str, Any]


def engine() -> None:
    """Drive a match by JSON lines on standard input and output.

    Requests: games, new, position, load, moves, options, preview, why, play, enter, view, scene,
    record, outcome, quit. An "id" comes back in the answer.

    Example: echo '{"do": "new", "game": "human-resources"}' | openplan engine
    """
    serve(sys.stdin.buffer, sys.stdout.buffer)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer line by line until `quit` or the end of the input."""
    driver = Engine()
    while line := requests.readline(MAX_LINE + 1):
        too_long = len(line) > MAX_LINE
        while too_long and not line.endswith(b"\n") and line:
            line = requests.readline(MAX_LINE)
        if not too_long and not line.strip():
            continue
        answer = _LINE_TOO_LONG if too_long else driver.answer(line)
        answers.write(json.dumps(answer, allow_nan=False).encode("ascii") + b"\n")
        answers.flush()
        if driver.is_done:
            return


class Engine:
    """One match at a time, and what may be asked about it."""

    def __init__(self) -> None:
        self.is_done = False
        self._match: Match | None = None
        self._verbs: dict[str, Callable[[Request], Answer]] = {
            "games": self._games,
            "new": self._new,
            "position": self._position,
            "load": self._load,
            "moves": self._moves,
            "options": self._options,
            "preview": self._preview,
            "why": self._why,
            "play": self._play,
            "enter": self._enter,
            "view": self._view,
            "scene": self._scene,
            "record": self._record,
            "outcome": self._outcome,
            "quit": self._quit,
        }

    def answer(self, line: bytes) -> Answer:
        request: Request = {}
        try:
            request = _parse(line)
            verb = _text(request, "do")
            if verb not in self._verbs:
                known = ", ".join(self._verbs)
                raise Unreadable("unknown-verb", f"there is no {verb[:40]!r}; there are: {known}")
            answer = {"ok": True, **self._verbs[verb](request)}
        except GameError as error:
            answer = _refusal(error.code, error.reason, error.clause)
        except DeckError as error:
            answer = _refusal("deck", str(error), error.faults[0].clause)
        except Exception as error:  # noqa: BLE001 - a bug of ours must not end somebody's program
            answer = _refusal("internal", f"a fault of this program: {error!r:.200}", "")
        if "id" in request:
            answer["id"] = request["id"]
        return answer

    # -- A match begins ----------------------------------------------------------------------

    def _games(self, _: Request) -> Answer:
        return {"games": [_describe(game) for _, game in sorted(all_games().items())]}

    def _new(self, request: Request) -> Answer:
        game, deck = _game_and_deck(request)
        seed = request.get("seed")
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or seed < 0):
            raise _wrong("seed", "a whole number from 0")
        secret = "" if seed is None else seeded(seed)
        self._match = Match.start(game, deck, _house(request), secret=secret)
        return self._status()

    def _position(self, request: Request) -> Answer:
        game, deck = _game_and_deck(request)
        position = request.get("position")
        if not isinstance(position, dict) or not all(
            isinstance(value, str) or _is_texts(value) for value in position.values()
        ):
            raise _wrong("position", "an object of texts and lists of texts")
        self._match = Match.from_position(game, deck, _house(request), position)
        return self._status()

    def _load(self, request: Request) -> Answer:
        given = _text(request, "deck", "")

        def find(game: AnyGame, name: str, content_hash: str) -> Deck:
            if given:
                deck = load_deck(game, given, may_wait=False)
                if deck.hash == content_hash:
                    return deck
            return find_deck(game, name, content_hash)

        self._match = read_record(_text(request, "record"), game_named, find)
        return self._status()

    # -- What may be asked -------------------------------------------------------------------

    @property
    def match(self) -> Match:
        if self._match is None:
            raise GameError("no-match", "there is no match yet; begin with new, position or load")
        return self._match

    def _status(self) -> Answer:
        match = self.match
        return {
            "game": match.game.name,
            "to_act": [match.game.seats[seat] for seat in sorted(match.to_act)],
            "awaited": [match.game.seats[seat] for seat in sorted(match.awaited)],
            "outcome": tell_outcome(match.game, match.outcome),
        }

    def _moves(self, request: Request) -> Answer:
        match, seat = self.match, self._seat(request)
        view, part = match.view(seat), _text(request, "part", "")
        moves = match.game.moves_of_part(view, part) if part else match.game.moves(view)
        texts = [match.game.format_move(match.deck, move) for move in moves]
        return {"seat": match.game.seats[seat], "moves": texts}

    def _options(self, request: Request) -> Answer:
        match, seat = self.match, self._seat(request)
        steps = request.get("steps", [])
        if not _is_texts(steps):
            raise _wrong("steps", "a list of texts")
        options = match.game.options(match.view(seat), steps)
        return {"next": [asdict(step) for step in options.next], "whole": options.whole}

    def _preview(self, request: Request) -> Answer:
        match, seat = self.match, self._seat(request)
        game, view = match.game, match.view(seat)
        move = game.parse_move(match.deck, _text(request, "move"))
        refusal = game.why_not(view, move)
        if refusal is not None:
            reason = game.say(refusal.code, refusal.params)
            raise GameError(refusal.code, reason, refusal.clause)
        preview = game.preview(view, move)
        return {
            "view": game.view_data(preview.view),
            "events": [tell_event(game, event, seat) for event in preview.events],
            "points": preview.points,
        }

    def _why(self, request: Request) -> Answer:
        match, seat = self.match, self._seat(request)
        move = match.game.parse_move(match.deck, _text(request, "move"))
        refusal = match.game.why_not(match.view(seat), move)
        if refusal is None:
            return {"legal": True} | _tell_warnings(match, match.view(seat), move)
        reason = match.game.say(refusal.code, refusal.params)
        return {
            "legal": False,
            "code": refusal.code,
            "reason": reason,
            "clause": refusal.clause,
        }

    def _view(self, request: Request) -> Answer:
        match, viewer = self.match, viewer_named(self.match.game, _text(request, "viewer"))
        return {
            "view": match.game.view_data(match.view(viewer)),
            "version": match.version(viewer),
        }

    def _scene(self, request: Request) -> Answer:
        from openplan.render.text import draw_scene

        match, viewer = self.match, viewer_named(self.match.game, _text(request, "viewer"))
        scene = match.game.scene(match.view(viewer))
        return {"scene": data_of(scene), "text": draw_scene(scene)}

    def _record(self, request: Request) -> Answer:
        viewer = viewer_named(self.match.game, _text(request, "viewer", "all"))
        return {"record": write_record(self.match, viewer)}

    def _outcome(self, _: Request) -> Answer:
        return {"outcome": tell_outcome(self.match.game, self.match.outcome)}

    # -- A match goes on ---------------------------------------------------------------------

    def _play(self, request: Request) -> Answer:
        match, seat = self.match, self._seat(request)
        view, text = match.view(seat), _text(request, "move")
        happening = match.submit(seat, text)
        events = [tell_event(match.game, event, seat) for event in happening.events]
        answer = {"move": happening.text_for(seat), "events": events, **self._status()}
        return answer | _tell_warnings(match, view, match.game.parse_move(match.deck, text))

    def _enter(self, request: Request) -> Answer:
        code = _text(request, "seat", "")
        seat = parse_seat(self.match.game, code) if code else None
        self.match.enter(_text(request, "kind"), seat, _text(request, "text", ""))
        return self._status()

    def _quit(self, _: Request) -> Answer:
        self.is_done = True
        return {}

    def _seat(self, request: Request) -> Seat:
        """The seat named, or the only one that is to act."""
        match = self.match
        if "seat" in request:
            return parse_seat(match.game, _text(request, "seat"))
        if match.outcome is not None:
            raise GameError("over", "the match is over")
        if len(match.to_act) != 1:
            raise Unreadable("no-seat", "say which seat: several may act, or none")
        return min(match.to_act)


# -- Reading ---------------------------------------------------------------------------------


def _parse(line: bytes) -> Request:
    """One request, of plain values only, or `Unreadable`."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("not-utf-8", "the line is not UTF-8 text") from None
    try:
        request = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        # Python's own words for a number of too many digits say nothing to others.
        reason = str(error) if isinstance(error, json.JSONDecodeError) else "beyond what is read"
        raise Unreadable("not-json", f"the line is not JSON: {reason}") from None
    if not isinstance(request, dict):
        raise Unreadable("not-an-object", "a request is a JSON object")
    _check_plain(request, MAX_DEPTH)
    return request


def _no_constant(name: str) -> NoReturn:
    raise json.JSONDecodeError(f"{name} is not a number", name, 0)


def _check_plain(value: object, depth: int) -> None:
    if depth == 0:
        raise Unreadable("too-deep", f"a request is nested at most {MAX_DEPTH} deep")
    if isinstance(value, dict):
        for key, item in value.items():
            _check_plain(key, depth)
            _check_plain(item, depth - 1)
    elif isinstance(value, list):
        for item in value:
            _check_plain(item, depth - 1)
    elif isinstance(value, str):
        # Half a character, or a control character that would end a line somewhere.
        if any(0xD800 <= ord(character) < 0xE000 for character in value) or "\0" in value:
            raise Unreadable("not-text", "a text holds half a character or a NUL")
    elif isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise Unreadable("not-json", "the line is not JSON: a number beyond what is read")


def _text(request: Request, key: str, default: str | None = None) -> str:
    value = request.get(key, default)
    if value is None:
        raise Unreadable("missing", f"the field {key!r} is missing")
    if not isinstance(value, str):
        raise _wrong(key, "a text")
    return value


def _wrong(key: str, kind: str) -> Unreadable:
    return Unreadable("wrong-type", f"the field {key!r} must be {kind}")


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _house(request: Request) -> dict[str, str]:
    house = request.get("house", {})
    if not isinstance(house, dict) or not all(isinstance(v, str) for v in house.values()):
        raise _wrong("house", "an object of texts")
    return house


def _game_and_deck(request: Request) -> tuple[AnyGame, Deck]:
    game = find_game(_text(request, "game"))
    return game, load_deck(game, _text(request, "deck", ""), may_wait=False)


# -- Answering -------------------------------------------------------------------------------


def _refusal(code: str, reason: str, clause: str) -> Answer:
    return {"ok": False, "code": code, "reason": reason, "clause": clause}


_LINE_TOO_LONG: Final = _refusal("too-long", f"a line has at most {MAX_LINE} bytes", "")


def _describe(game: AnyGame) -> Answer:
    return {
        "name": game.name,
        "title": game.title,
        "credit": game.credit,
        "rules_version": game.rules_version,
        "seats": list(game.seats),
        "house_rules": [asdict(rule) for rule in game.house_rules],
        "parts": list(game.parts),
        "decks": shipped(game),
    }


def _tell_warnings(match: Match, view: Any, move: Any) -> Answer:
    """What may make a legal move come to nothing, if there is anything."""
    game = match.game
    told = [
        {
            "code": warning.code,
            "reason": game.say(warning.code, warning.params),
            "clause": warning.clause,
        }
        for warning in game.warnings(view, move)
    ]
    return {"warnings": told} if told else {}
