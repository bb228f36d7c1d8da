"""Sealed Tender for the tests over every game."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from examples.tender.cards import BIDS, CONTRACTS
from examples.tender.deal import HAND, HANDS
from examples.tender.state import State
from openplan.core.deal import Deal
from openplan.core.game import AnyGame, Seat, Viewer
from openplan.core.match import Match
from tests.laws import Law


class TenderProbe:
    recorded_endings = frozenset[str]()

    def house(self, rng: Random) -> dict[str, str]:
        return {"chatter": rng.choice(["yes", "no"]), "asking": rng.choice(["yes", "no"])}

    def random_move(self, game: AnyGame, match: Match, rng: Random) -> tuple[Seat, str]:
        seat = rng.choice(sorted(match.to_act))
        moves = game.moves(match.view(seat))
        kind = rng.choice(sorted({move.kind for move in moves}))
        move = rng.choice([move for move in moves if move.kind == kind])
        return seat, game.format_move(match.deck, move)

    def check(self, match: Match) -> None:
        state: State = match.state
        bids = [bid for hand in state.hands for bid in hand]
        assert len(set(bids)) == len(bids)
        assert set(bids) <= set(BIDS)
        contracts = [card for row in (state.contracts, *state.won) for card in row]
        assert sorted(contracts) == sorted(set(contracts))
        for hand, sealed in zip(state.hands, state.sealed, strict=True):
            assert not sealed or sealed in hand, "a bid is made that is not in the hand"
            # ST-4.1: each round costs whoever bids one card.
            assert HAND - len(hand) <= len(CONTRACTS) - len(state.contracts)

    def other_truth(self, match: Match, viewer: Viewer, rng: Random) -> Match | None:
        """The same match with bids and contracts renamed that the viewer never saw."""
        assert match.deal is not None
        seen = self._ever_seen(match, viewer)
        renamed: dict[str, str] = {}
        for kind in (BIDS, CONTRACTS):
            hidden = [card for card in kind if card not in seen]
            renamed |= dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))

        def rename(text: str) -> str:
            return re.sub(r"\b[bc]\d\b", lambda found: renamed.get(found[0], found[0]), text)

        deal = {label: tuple(map(rename, cards)) for label, cards in match.deal.items()}
        other = Match.from_deal(
            match.game, match.deck, match.house, deal, match.salt, added=match.added
        )
        for entry in match.log:
            assert entry.seat is not None
            other.submit(entry.seat, rename(entry.text))
        return other

    def dealt(self, state: State, rng: Random) -> Deal:
        hands = [tuple(rng.sample(hand, HAND)) for hand in state.hands]
        return {**dict(zip(HANDS, hands, strict=True)), "contracts": tuple(state.contracts)}

    def opening_figures(self, law: Law) -> list[tuple[str, Callable[[Deal], bool], float]]:
        return [("A holds the highest bid", lambda deal: BIDS[-1] in deal[HANDS[0]], HAND / 9)]

    def _ever_seen(self, match: Match, viewer: Viewer) -> set[str]:
        """The own hand, the contract on top, the next one for who asked, and bids once opened."""
        replayed = match.at(0)
        state: State = replayed.state
        seen = {state.contracts[0], *(state.hands[viewer] if viewer is not None else ())}
        for entry in match.log:
            assert entry.seat is not None
            before = [bid for hand in state.hands for bid in hand]
            replayed.submit(entry.seat, entry.text)
            state = replayed.state
            seen.update(set(before) - {bid for hand in state.hands for bid in hand})
            seen.update(state.contracts[: 2 if viewer in state.asked else 1])
        return seen


PROBE = TenderProbe()
