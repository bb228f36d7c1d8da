"""Human Resources for the tests over every game."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from openplan.core.deal import Deal
from openplan.core.game import AnyGame, GameError, Seat, Viewer
from openplan.core.grid import Square, flood
from openplan.core.match import Match
from openplan.games.human_resources.cards import colour_of, shown
from openplan.games.human_resources.deal import FOUNDING, HAND
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.state import SEATS, State
from tests.laws import Law


class HumanResourcesProbe:
    recorded_endings = frozenset(
        {"points", "scored-cards", "highest-value", "equal", "resign", "flag", "agreed"}
    )

    def house(self, rng: Random) -> dict[str, str]:
        return {
            "promo": rng.choice(["no", "yes"]),
            "mirror": rng.choice(["no", "no", "yes"]),
            "memory": rng.choice(["no", "yes"]),
            "leave": rng.choice(["no", "yes"]),
            "idle": rng.choice(["no", "yes"]),
            "to-hand": rng.choice(["no", "yes"]),
        }

    def random_move(self, game: AnyGame, match: Match, rng: Random) -> tuple[Seat, str]:
        (seat,) = match.to_act
        moves = game.moves(match.view(seat))
        # By kind first: else nearly every move would be a placement.
        kinds = sorted({move.kind for move in moves})
        kind = rng.choice(kinds)
        of_kind = [move for move in moves if move.kind == kind]
        declared = [move for move in of_kind if move.leave or move.overtime]
        move = rng.choice(declared if declared and rng.random() < 0.5 else of_kind)
        return seat, game.format_move(match.deck, move)

    def check(self, match: Match) -> None:
        state: State = match.state
        table = state.table
        cubicles = {Square(x, y): card for x, y, card in table.cubicles()}
        cards = list(cubicles.values()) + table.deck_list() + table.discard_list()
        for seat in (0, 1):
            cards += table.hand_of(seat) + table.play_of(seat) + table.scored_of(seat)
            value = sum(int(table.cards.value[card]) for card in table.scored_of(seat))
            assert int(table.points[seat]) == value
        if table.hiring != codes.NONE:
            cards.append(int(table.hiring))
        assert sorted(cards) == list(state.stock), "a card is lost or doubled"
        assert len(flood(next(iter(cubicles)), cubicles.__contains__)) == len(cubicles)
        if table.phase != codes.AT_END:
            assert table.hand_size[table.actor] or table.phase != codes.AT_TURN
            assert table.deck_size > 0
        for card in range(codes.CARDS):
            if card in table.play_of(0) + table.play_of(1) + table.discard_list():
                assert state.known[card] == 7, "what lies open is known to all"
        for seat in (0, 1):
            assert all(state.known[card] & (1 << seat) for card in table.hand_of(seat))
        laid = set(state.laid)
        assert laid <= set(cubicles), "a story is told of a cubicle that is not there"

    def other_truth(self, match: Match, viewer: Viewer, rng: Random) -> Match | None:
        """The same match with cards renamed among those of one colour that the viewer never saw."""
        seen = self._ever_seen(match, viewer)
        state: State = match.state
        renamed: dict[str, str] = {}
        for colour in ("dark", "light"):
            hidden = [c for c in state.stock if c not in seen and colour_of(c) == colour]
            mixed = list(hidden)
            rng.shuffle(mixed)
            renamed |= {shown(a): shown(b) for a, b in zip(hidden, mixed, strict=True)}

        def rename(text: str) -> str:
            return re.sub(r"[PMQX]\d\d[dl]", lambda found: renamed.get(found[0], found[0]), text)

        assert match.deal is not None
        deal = {label: tuple(rename(name) for name in names) for label, names in match.deal.items()}
        try:
            other = Match.from_deal(
                match.game, match.deck, match.house, deal, match.salt, added=match.added
            )
        except GameError as error:
            if error.clause != "HR-2.3":
                raise
            return None  # with these hands the other player would have started
        # Beyond what was drawn, the backs may lie in another order too; names keep their colour,
        # so the deal above keeps them, which is the harder case to tell apart.
        for entry in match.log:
            assert entry.seat is not None
            other.submit(entry.seat, rename(entry.text))
        return other

    def dealt(self, state: State, rng: Random) -> Deal:
        start = (SEATS[state.started], *(["toss"] if state.tossed else []))
        return {**dealt_on(state.table, rng), "start": start}

    def opening_figures(self, law: Law) -> list[tuple[str, Callable[[Deal], bool], float]]:
        back = law.traits["back"] if "back" in law.traits else law.traits["kind"]

        def one_coloured(hand: str) -> Callable[[Deal], bool]:
            return lambda deal: len({back[card] for card in deal[hand]}) == 1

        def has_quota(deal: Deal) -> bool:
            hand = deal["hand A"]
            return one_coloured("hand A")(deal) and not {"Q01d", "Q01l"}.isdisjoint(hand)

        one = [law.one_trait(f"hand {seat}", back) for seat in SEATS]
        # Given one colour, the hand is any three of that colour's cards.
        quota = one[0] * HAND / (len(law.cards) / 2)
        return [
            ("hand A has one colour only", one_coloured("hand A"), one[0]),
            ("hand B has one colour only", one_coloured("hand B"), one[1]),
            ("A can play a colour quota at the opening", has_quota, quota),
        ]

    def _ever_seen(self, match: Match, viewer: Viewer) -> set[int]:
        """Every card whose face was before the viewer's eyes at any time, by where it lay then;
        what the engine believes to be known is not asked."""
        replayed = match.at(0)
        seen: set[int] = set()
        for entry in [None, *match.log]:
            if entry is not None:
                assert entry.seat is not None
                replayed.submit(entry.seat, entry.text)
            table = replayed.state.table
            seen.update(table.discard_list(), [int(table.hiring)])
            for seat in (0, 1):
                seen.update(table.play_of(seat), table.scored_of(seat))
            if viewer is not None:
                seen.update(table.hand_of(viewer))
                if table.phase == codes.AT_ARRANGING and table.actor == viewer:
                    seen.update(table.deck_list()[:4])
        return seen


def dealt_on(table: Board, rng: Random) -> dict[str, tuple[str, ...]]:
    """The cards of a table that was only dealt; its hands have no order (HR-10.3)."""
    faces = {Square(x, y): shown(card) for x, y, card in table.cubicles()}
    hands = [[shown(card) for card in table.hand_of(seat)] for seat in (0, 1)]
    return {
        "office": tuple(faces[square] for square in FOUNDING),
        "hand A": tuple(rng.sample(hands[0], len(hands[0]))),
        "hand B": tuple(rng.sample(hands[1], len(hands[1]))),
        "deck": tuple(shown(card) for card in table.deck_list()),
    }


PROBE = HumanResourcesProbe()
