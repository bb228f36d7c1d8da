"""What the judge asks of the house: the one border between reading mail and keeping tables.

Whoever keeps the tables implements `Post`, over one transaction for each mail: what a mail changes,
the note that it was received, and the answer in the outbox are stored together or not at all.
Nothing here is asked on behalf of somebody who has not shown a token, but `known` and the questions
that change nothing.

A method that cannot do what is asked raises a `GameError`, whose code, reason and clause go into
the verdict on that line; the other lines are not touched by it. Any other exception ends the mail,
and with it the transaction: nothing was done, and the mail is to be judged again later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from openplan.core.deck import Deck
from openplan.core.game import AnyGame, Seat
from openplan.mail.commands.arguments import Given
from openplan.mail.inbound.tokens import Claim


class Role(Enum):
    SEAT = "seat"
    MASTER = "master"
    GUEST = "guest"
    """Has shown a token that belongs to no seat: invited, watching, or confirming an address."""
    KNOWN = "known"
    """Has shown nothing. The mail says it is from a registered address, which anybody can say."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """For whom a mail speaks. Its answer goes to this person's registered address and no other."""

    person: str
    role: Role
    table: str = ""
    """The table's name in tokens and in `GAME n`."""
    seat: Seat | None = None
    """One's own; of a guest, the one that is offered."""
    turn: int = 0
    """The turn of the token."""
    language: str = "en"
    proof: str = ""
    """For what the token must have been made, if not for the person."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A table as its seat may know it now; for a master, as a spectator may."""

    game: AnyGame
    deck: Deck
    view: Any
    turn: int
    """As `:: Turn` and tokens count: `game.turn_number(view)` where the rules count turns."""


class Post(Protocol):
    @property
    def key(self) -> bytes:
        """The secret of `tokens`."""

    # Who writes.

    def holder(self, claim: Claim, sender: str) -> Bearer | None:
        """Who has what a token claims, now: the person in that seat, the master of that table, the
        person to whom a guest's token may have been sent; for one of the house's own, whoever has
        the address that the mail says it is from. The judge then checks that the token was made
        for that person, so a seat that changed hands takes no order from its former holder. `turn`
        is the claim's. `None`, if there is no such table or seat."""

    def known(self, address: str) -> Bearer | None:
        """Somebody with this registered address, in the role `KNOWN`."""

    def receive(self, who: Bearer, name: str) -> bool:
        """Note that this person's mail of this name came. `False` if it has come before: it is
        then neither obeyed nor answered."""

    def may_answer(self, who: Bearer, *, in_vain: bool) -> bool:
        """Is an answer within the limits for this person and table? `in_vain` says that the mail
        held nothing for us; of such no more than one a turn is answered, since it may be a robot's
        that does not say so."""

    # The table and orders.

    def turn(self, who: Bearer) -> int:
        """The turn that the table of a seat or master is in; 0 before the match."""

    def standing(self, who: Bearer) -> Standing:
        """For a seat or a master; `Illegal`, if there is nothing to see yet."""

    def submit(self, who: Bearer, text: str) -> None:
        """A seat's whole move in the game's notation, through `Match.submit`. Sealed orders are
        kept and not yet carried out."""

    def conclude(
        self, who: Bearer, *, is_clean: bool, nothing: Sequence[str], changed: Sequence[str]
    ) -> None:
        """The mail of a seat is judged up to here, in the turn that it was written for. Only now
        may its orders be carried out, and not if lines were refused. `nothing` are the parts for
        which it ordered nothing in so many words, of those that it `changed`."""

    def clear(self, who: Bearer) -> None:
        """Take back what the seat has sent for this turn, as if it had sent nothing."""

    # Everything else.

    def do(self, word: str, who: Bearer, given: Given) -> str:
        """Carry out a command that is `done_by_port`, for one of those whose it is. Returns a
        sentence for the answer, or nothing where `done` says enough."""
