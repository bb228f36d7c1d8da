"""One mail, judged: from its lines to what was done with each, and for whom the answer is.

The pipe, the polled mailbox and the listener all end here. The judge reads, asks the `Post` who
writes and what they may do, and has it done. It sends nothing: the judgement is data, from which
the answer is written and put into the outbox in the transaction that keeps the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final

from openplan.core.game import AnyGame, GameError, Refusal, Written
from openplan.mail.commands.grammar import Verb
from openplan.mail.commands.help import how
from openplan.mail.commands.items import Command, Fault, content_of, why_refused
from openplan.mail.commands.mending import instead_of
from openplan.mail.commands.port import Bearer, Post, Role, Standing
from openplan.mail.inbound.lines import BLANK, Envelope, Line, Trouble
from openplan.mail.inbound.reading import Mail
from openplan.mail.inbound.tokens import proves, read_claim
from openplan.mail.sentences import reason_of, say

MAX_ITEMS: Final = 100
"""Orders and commands in one mail."""


class Ruling(Enum):
    UNDERSTOOD = "understood"
    WARNED = "warned"
    """Understood and accepted, but as things stand it would come to nothing."""
    IGNORED = "ignored"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Verdict:
    """On some lines, numbered from 1 as in the text of the mail."""

    first: int
    last: int
    ruling: Ruling
    code: str
    reason: str
    clause: str = ""
    instead: tuple[str, ...] = ()
    """Lines to send in place of an order that was refused."""


@dataclass(frozen=True, slots=True)
class Judgement:
    mail: Mail
    who: Bearer | None = None
    """To whose registered address the answer goes; nobody's, if there is to be none."""
    silence: str = ""
    """Why there is no answer, for the log: a robot's reason, `duplicate`, `stranger`, `limit`."""
    trouble: Verdict | None = None
    """Why all of it was refused, if it was: then nothing was done."""
    verdicts: tuple[Verdict, ...] = ()
    """For every line of the text, each in the order of the mail."""
    held: tuple[str, ...] = ()
    """All that is now held for this turn, in words, where the game holds orders."""
    asks: tuple[Command, ...] = ()
    """What the answer shall enclose, as the table stands after the mail."""
    has_acted: bool = False
    """Whether something was changed."""
    asks_how: bool = False
    """Of a stranger: asks what to do."""

    @property
    def is_in_vain(self) -> bool:
        """Was nothing in it for us? So write people who do not know how, and robots."""
        if self.trouble is not None:
            return self.trouble.code in ("no-begin", "quoted-begin", "no-text")
        return all(
            verdict.ruling is Ruling.IGNORED or verdict.code == "marker"
            for verdict in self.verdicts
        )


def judge(mail: Mail, post: Post) -> Judgement:
    """Duplicates are kept apart by `post.receive`."""
    if mail.silence:
        return Judgement(mail, silence=mail.silence)
    who, token = _writer(mail, post)
    if mail.hint and (who is None or who.role is Role.KNOWN):
        return Judgement(mail, silence=mail.hint)
    if who is None:
        return Judgement(mail, silence="stranger", asks_how=_asks_how(mail))
    if not post.receive(who, mail.name):
        return Judgement(mail, silence="duplicate")
    judgement = _Hearing(mail, post, who).judgement(has_bad_token=bool(token))
    if not post.may_answer(who, in_vain=judgement.is_in_vain):
        return replace(judgement, who=None, silence="limit")
    return judgement


def _writer(mail: Mail, post: Post) -> tuple[Bearer | None, str]:
    """Who has shown a token, or else who is said to write; and the token that proved nothing."""
    token = mail.tokens[0] if mail.tokens else ""
    claim = read_claim(token)
    holder = None if claim is None else post.holder(claim, mail.sender)
    if holder is not None and proves(post.key, token, holder.proof or holder.person):
        return holder, ""
    return _known(mail, post), token


def _asks_how(mail: Mail) -> bool:
    """Whether somebody whom nobody knows asks what to do, by a line of its own."""
    return any(
        not line.is_quoted and line.text.strip(" .!").upper() in ("HELP", "LIST")
        for line in mail.lines
    )


def _known(mail: Mail, post: Post) -> Bearer | None:
    return post.known(mail.sender) if mail.sender else None


# -- One mail --------------------------------------------------------------------------------


@dataclass(slots=True)
class _Hearing:
    mail: Mail
    post: Post
    who: Bearer
    """Who writes."""
    verdicts: list[Verdict] = field(default_factory=list)
    asks: list[Command] = field(default_factory=list)
    pending: list[Written[Any] | Command] = field(default_factory=list)
    """Orders of the one who writes, not yet put together; and CLEAR among them."""
    said_ready: list[Command] = field(default_factory=list)
    """READY and NOT READY, which speak of the orders of the whole mail."""
    nothing: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    held: tuple[str, ...] = ()
    has_acted: bool = False
    seen: Standing | None = None

    def judgement(self, *, has_bad_token: bool) -> Judgement:
        standing = self.standing()
        game, deck = (standing.game, standing.deck) if standing else (None, None)
        is_proved = self.who.role is not Role.KNOWN
        content = content_of(self.mail, game, deck, is_proved=is_proved)
        if isinstance(content, Trouble):
            return self.refused(content)
        if has_bad_token:
            return self.refused(Trouble("bad-token", content.envelope.begin))
        for number, item in enumerate(content.items):
            if number >= MAX_ITEMS:
                self.rule(item, Ruling.REFUSED, "too-many")
            elif isinstance(item, Fault):
                self.refuse(item, item.error, item.verb)
            elif isinstance(item, Command):
                self.command(item)
            else:
                self.order(item)
        self.settle()
        self.conclude()
        self.tell_held()
        return Judgement(
            self.mail,
            self.who,
            verdicts=tuple(self.complete(content.envelope)),
            held=self.held,
            asks=tuple(self.asks),
            has_acted=self.has_acted,
        )

    def refused(self, trouble: Trouble) -> Judgement:
        reason = why_refused(trouble, self.who.language)
        at = trouble.begun if trouble.code == "no-end" else trouble.line
        verdict = Verdict(at, at, Ruling.REFUSED, trouble.code, reason)
        judgement = Judgement(self.mail, self.who, trouble=verdict)
        if not judgement.is_in_vain:
            self.hand_to_turn(is_clean=False)
        self.tell_held()
        return replace(judgement, held=self.held)

    def standing(self) -> Standing | None:
        """The table as it stood when it was looked at last, if there is one to see."""
        if self.who.role not in (Role.SEAT, Role.MASTER):
            return None
        if self.seen is None:
            try:
                self.seen = self.post.standing(self.who)
            except GameError:
                return None
        return self.seen

    def has_changed(self) -> None:
        """Something was done, so that the table has to be looked at again."""
        self.has_acted = True
        self.seen = None

    # Verdicts.

    def rule(
        self,
        on: Written[Any] | Command | Fault,
        ruling: Ruling,
        code: str,
        reason: str = "",
        clause: str = "",
        **params: object,
    ) -> None:
        reason = reason or say(code, params, self.who.language)
        instead = self.instead_of(on) if ruling is Ruling.REFUSED else ()
        self.verdicts.append(Verdict(on.first, on.last, ruling, code, reason, clause, instead))

    def instead_of(self, on: Written[Any] | Command | Fault) -> tuple[str, ...]:
        standing = self.standing()
        if standing is None or self.who.role is not Role.SEAT or not isinstance(on, Written):
            return ()
        texts = [self.mail.lines[number - 1].text for number in range(on.first, on.last + 1)]
        return instead_of(" ".join(texts), on.part, standing, self.who.language)

    def refuse(
        self,
        on: Written[Any] | Command | Fault,
        error: GameError,
        verb: Verb | None = None,
    ) -> None:
        language = self.who.language
        reason = reason_of(error, language)
        if verb is not None:
            reason = f"{verb.word}: {reason}. {say('written', {}, language)}: {how(verb, language)}"
        self.rule(on, Ruling.REFUSED, error.code, reason, error.clause)

    def complete(self, envelope: Envelope) -> Iterator[Verdict]:
        """All verdicts with those on the lines of which nobody has spoken."""
        ruled = {n for verdict in self.verdicts for n in range(verdict.first, verdict.last + 1)}
        inside = {line.number: line for line in envelope.lines}
        found = list(self.verdicts)
        for line in self.mail.lines:
            if line.number in ruled:
                continue
            ruling = Ruling.IGNORED
            if line.number in (envelope.begin, envelope.end):
                ruling, code = Ruling.UNDERSTOOD, "marker"
            elif line.number in inside:
                code = self.why_ignored(line)
            else:
                code = "outside"
            reason = say(code, {}, self.who.language)
            found.append(Verdict(line.number, line.number, ruling, code, reason))
        yield from sorted(found, key=lambda verdict: (verdict.first, verdict.last))

    @staticmethod
    def why_ignored(line: Line) -> str:
        if line.is_quoted:
            return "quoted"
        return "blank" if BLANK in line.text else "empty"

    # Commands.

    def command(self, command: Command) -> None:
        verb, given, who = command.verb, command.given, self.who
        if who.role not in verb.whose:
            code = "not-yours"
            if who.role is Role.KNOWN:
                code = "prove" if Role.GUEST in verb.whose else "no-orders-here"
            self.rule(command, Ruling.REFUSED, code, verb=verb.word)
            return
        if verb.word == "CLEAR":
            self.pending.append(command)
            return
        if verb.word in ("READY", "NOT"):
            self.said_ready.append(command)
            return
        is_ask = not verb.done_by_port
        if verb.has_text and not given.text and not verb.may_lack_text:
            if verb.word == "DIARY":
                is_ask = True
            else:
                self.rule(command, Ruling.IGNORED, "bare")
                return
        if is_ask:
            self.asks.append(command)
            self.rule(command, Ruling.UNDERSTOOD, "enclosed")
            return
        if not verb.any_turn and self.is_late(command):
            return
        try:
            self.act(command)
        except GameError as error:
            self.refuse(command, error)

    def act(self, command: Command) -> None:
        verb, given = command.verb, command.given
        if verb.word == "RESIGN" and (own := self.own_code()) != given.seat:
            self.rule(command, Ruling.REFUSED, "other-seat", seat=own)
            return
        reason = self.post.do(verb.word, self.who, given)
        self.has_changed()
        self.rule(command, Ruling.UNDERSTOOD, "done", reason)

    def own_code(self) -> str:
        standing = self.post.standing(self.who)
        assert self.who.seat is not None
        return standing.game.seats[self.who.seat]

    def is_late(self, on: Written[Any] | Command) -> bool:
        """Is its turn over? What a table does without counting turns is never late, nor is its
        master, who gets no letter of each move."""
        if self.who.role not in (Role.SEAT, Role.MASTER):
            return False
        if self.who.role is Role.MASTER and not self.counts_turns():
            return False
        standing = self.standing()
        now = self.post.turn(self.who) if standing is None else standing.turn
        if now == self.who.turn:
            return False
        self.rule(on, Ruling.REFUSED, "turn-over", turn=self.who.turn, now=now)
        return True

    def counts_turns(self) -> bool:
        standing = self.standing()
        return standing is None or standing.game.turn_number(standing.view) is not None

    # Orders.

    def order(self, order: Written[Any]) -> None:
        if order.fault is not None:
            self.refuse(order, order.fault)
        elif order.move is None:
            self.rule(order, Ruling.IGNORED, "blank")
        else:
            self.pending.append(order)

    def settle(self) -> None:
        """Put the orders together and hand them in: last of all, since with them the turn may be
        over. What is wrong with one of them is told of its line, and the others stand."""
        pending, self.pending = self.pending, []
        if self.who.role is not Role.SEAT:
            for order in pending:
                self.rule(order, Ruling.REFUSED, "no-orders-here")
            return
        pending = [order for order in pending if not self.is_late(order)]
        if not pending:
            return
        try:
            standing = self.standing() or self.post.standing(self.who)
            if standing.game.parts:
                _OrderSet(self, standing, pending).hand_in()
            else:
                self.play_on(standing.game, standing.deck, pending)
        except GameError as error:
            for order in pending:
                self.refuse(order, error)

    def conclude(self) -> None:
        """Last of all: what the seat says of its orders, and whether they may be carried out."""
        said = self.said_ready[-1] if self.said_ready else None
        for command in self.said_ready[:-1]:
            self.rule(command, Ruling.IGNORED, "replaced")
        is_clean = not any(verdict.ruling is Ruling.REFUSED for verdict in self.verdicts)
        if said is not None and said.verb.word == "READY" and not is_clean:
            # What is held is not all that was meant.
            self.rule(said, Ruling.REFUSED, "not-all-ready")
        elif said is not None and not self.is_late(said):
            try:
                self.act(said)
            except GameError as error:
                self.refuse(said, error)
        self.hand_to_turn(is_clean=is_clean)

    def hand_to_turn(self, *, is_clean: bool) -> None:
        """Not of a mail that was written for a turn which is over."""
        standing = self.standing() if self.who.role is Role.SEAT else None
        if standing is None or standing.turn != self.who.turn:
            return
        nothing, changed = sorted(self.nothing), sorted(self.changed)
        self.post.conclude(self.who, is_clean=is_clean, nothing=nothing, changed=changed)
        self.seen = None

    def play_on(self, game: AnyGame, deck: Any, pending: list[Written[Any] | Command]) -> None:
        """Where moves are carried out at once: one after the other, up to the first refusal."""
        refused = 0
        for order in pending:
            if isinstance(order, Command):
                self.rule(order, Ruling.REFUSED, "not-held", game=game.title)
            elif refused:
                self.rule(order, Ruling.REFUSED, "after-refusal", line=refused)
            else:
                try:
                    self.post.submit(self.who, game.format_move(deck, order.move))
                    self.has_changed()
                    self.rule(order, Ruling.UNDERSTOOD, "ordered")
                except GameError as error:
                    refused = order.first
                    self.refuse(order, error)

    def tell_held(self) -> None:
        """What the seat holds now; unless a set that was just handed in has told it, which may
        have been adjudicated at once."""
        standing = self.standing()
        if standing is None or self.held or self.who.role is not Role.SEAT:
            return
        held = standing.game.held(standing.view)
        if held is not None:
            told = standing.game.tell_orders(standing.view, held, self.who.language)
            self.held = tuple(told)


class _OrderSet:
    """The held set of a seat, changed by the orders of one mail.

    A part that the mail names is emptied first, so that two phases can exchange their cards; then
    the orders are tried one by one. A part whose orders are all refused is held as it was."""

    def __init__(
        self, hearing: _Hearing, standing: Standing, pending: list[Written[Any] | Command]
    ) -> None:
        self.hearing = hearing
        self.game = standing.game
        self.deck = standing.deck
        self.view = standing.view
        self.before = self.game.held(self.view)
        self.now = self.before
        self.pending = pending
        self.accepted: dict[str, list[Written[Any]]] = {}
        self.replaced: set[int] = set()

    def hand_in(self) -> None:
        for order in self.pending:
            if not isinstance(order, Command):
                self.now = self.game.with_part(self.now, order.part, None)
        changed = False
        for order in self.pending:
            changed |= self.clear(order) if isinstance(order, Command) else self.add(order)
        self.restore()
        if not changed:
            return
        if self.now is None:
            self.hearing.post.clear(self.hearing.who)
        else:
            self.hearing.post.submit(self.hearing.who, self.game.format_move(self.deck, self.now))
            told = self.game.tell_orders(self.view, self.now, self.hearing.who.language)
            self.hearing.held = tuple(told)
        self.hearing.has_changed()
        self.note_parts()
        self.rule_accepted()

    def note_parts(self) -> None:
        """Which parts the mail speaks of, and for which of them it wants nothing."""
        spoken = self.game.parts if "" in self.accepted else self.accepted
        self.hearing.changed.update(spoken)
        for part in spoken:
            orders = self.accepted.get(part) or self.accepted.get("")
            if orders and self.game.with_part(self.now, part, None) == self.now:
                self.hearing.nothing.add(part)

    def clear(self, command: Command) -> bool:
        part = command.given.part
        if part and part not in self.game.parts:
            self.hearing.rule(command, Ruling.REFUSED, "no-part")
            return False
        self.now = self.game.with_part(self.now, part, None)
        for name in [part] if part else list(self.accepted):
            self.replaced.update(id(order) for order in self.accepted.pop(name, []))
        self.accepted.setdefault(part, [])
        self.hearing.rule(command, Ruling.UNDERSTOOD, "withdrawn")
        return True

    def add(self, order: Written[Any]) -> bool:
        earlier = self.accepted.get(order.part, [])
        added = self.game.with_part(self.now, order.part, order.move, adding=True)
        instead = self.game.with_part(self.now, order.part, order.move)
        refusal = self.game.why_not(self.view, added)
        if refusal is not None:
            self.refuse(order, refusal)
            return False
        self.now = added
        if not order.part:
            earlier = [other for orders in self.accepted.values() for other in orders]
            self.accepted.clear()
        if added == instead:
            self.replaced.update(id(other) for other in earlier)
            earlier = []
        self.accepted[order.part] = [*earlier, order]
        return True

    def refuse(self, on: Written[Any], refusal: Refusal) -> None:
        reason = self.game.say(refusal.code, refusal.params, self.hearing.who.language)
        self.hearing.rule(on, Ruling.REFUSED, refusal.code, reason, refusal.clause)

    def restore(self) -> None:
        """What was held where nothing new came of the mail, unless it no longer fits the rest."""
        if self.before is None or "" in self.accepted:
            return
        for part in self.game.parts:
            if part not in self.accepted:
                as_before = self.game.with_part(self.now, part, self.before)
                if self.game.why_not(self.view, as_before) is None:
                    self.now = as_before

    def rule_accepted(self) -> None:
        warnings: dict[str, Refusal] = {}
        if self.now is not None:
            for found in self.game.warnings(self.view, self.now):
                warnings.setdefault(self.game.part_of(found), found)
        for order in self.pending:
            if id(order) in self.replaced:
                self.hearing.rule(order, Ruling.IGNORED, "replaced")
        for orders in self.accepted.values():
            for order in orders:
                # What is taken back is often why the rest may be lost.
                warning = self.taken_back(order.part) or warnings.get(order.part)
                if warning is None:
                    self.hearing.rule(order, Ruling.UNDERSTOOD, "ordered")
                else:
                    words = self.game.say(warning.code, warning.params, self.hearing.who.language)
                    self.hearing.rule(order, Ruling.WARNED, warning.code, words, warning.clause)

    def taken_back(self, part: str) -> Refusal | None:
        return self.game.taken_back(self.before, self.now, part)
