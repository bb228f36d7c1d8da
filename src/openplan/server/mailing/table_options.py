"""The options of a table as a mail wishes for them, made from the struct of all options: a new one
can be wished for by mail as soon as it is a field there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import inspect

from openplan.core.game import AnyGame, Unreadable
from openplan.core.registry import all_games
from openplan.server.refusals import refused
from openplan.server.tables.lifecycle import NewTable
from openplan.server.tables.options import SIMPLE

_ELSEWHERE: Final = ("game", "deck_text", "seats", "invites_master", "chance", "house")
"""What OPEN says in another way, or a mail cannot say; house rules are the game's own."""
_ON: Final = ("", "yes", "on", "true", "ja", "an")
_OFF: Final = ("no", "off", "false", "nein", "aus")
_WORDS: Final = re.compile(r"[\s_.-]+")


class MailOption(msgspec.Struct, frozen=True):
    path: tuple[str, ...]
    kind: Any
    """Its type, as msgspec tells it; the choices of a house rule."""
    default: Any
    whole: Callable[[], Any]
    """Makes what it is a part of, with nothing chosen."""

    @property
    def words(self) -> str:
        """How a mail calls it."""
        return " ".join(_WORDS.split(" ".join(self.path)))

    @property
    def choices(self) -> tuple[str, ...]:
        """The values that can be written; none, if they are too many to tell."""
        if isinstance(self.kind, tuple):
            return self.kind
        if isinstance(self.kind, inspect.BoolType):
            return ("yes", "no")
        if isinstance(self.kind, inspect.LiteralType):
            return tuple(str(value) for value in self.kind.values if value)
        return ()

    def read(self, text: str) -> Any:
        """The value that was written; nothing written is the one that switches it on."""
        low = text.lower()
        if isinstance(self.kind, inspect.BoolType):
            if low in _ON or low in _OFF:
                return low in _ON
        elif self.choices:
            if not low:
                ons = [one.on for one in SIMPLE if (one.name,) == self.path]
                low = str(ons[0]) if ons else "yes"
            if low in self.choices:
                return low
        elif isinstance(self.kind, inspect.IntType):
            if re.fullmatch(r"[0-9]{1,9}", low):
                return int(low)
        elif isinstance(self.kind, inspect.VarTupleType):
            return tuple(word for word in re.split(r"[^a-z]+", low) if word not in ("", "and"))
        elif text:
            return text
        raise refused(Unreadable, "option", "option-value", told=told(self))


def told(option: MailOption) -> str:
    """How it is written, with what holds where it is not."""
    choices = ", ".join(option.choices)
    default = {True: "yes", False: "no"}.get(option.default, option.default)
    if isinstance(option.default, bool) or (default and not isinstance(default, tuple)):
        choices = f"{choices} ({default})" if choices else f"({default})"
    return f"{option.words}: {choices}" if choices else option.words


def options_of(game: AnyGame) -> list[MailOption]:
    rules = [
        MailOption(("house", rule.name), rule.choices, rule.choices[0], dict)
        for rule in game.house_rules
    ]
    return [*_options(), *rules]


@lru_cache(maxsize=1)
def _options() -> tuple[MailOption, ...]:
    return tuple(_described(NewTable, ()))


def _described(struct: type[Any], path: tuple[str, ...]) -> Iterator[MailOption]:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        if not path and field.name in _ELSEWHERE:
            continue
        kind = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
        if isinstance(kind, inspect.StructType):
            yield from _described(kind.cls, (*path, field.name))
        else:
            yield MailOption((*path, field.name), kind, field.default, struct)


def _forms(game: AnyGame) -> dict[str, MailOption]:
    """By everything that an option may be called: in full; a part by its own name, where that is
    nothing else's; what has parts, for the first of them."""
    options = options_of(game)
    parts: dict[str, list[MailOption]] = {}
    for option in options:
        if len(option.path) > 1:
            parts.setdefault(" ".join(_WORDS.split(option.path[-1])), []).append(option)
    found = {name: several[0] for name, several in parts.items() if len(several) == 1}
    for option in reversed(options):
        if len(option.path) > 1 and option.path[0] != "house":
            found[option.path[0]] = option
    return found | {option.words: option for option in options}


def wished(text: str, game: AnyGame) -> tuple[MailOption, Any]:
    """The option that a wish names, and its value."""
    forms = _forms(game)
    words = [word for word in re.split(r"[\s_.:=-]+", text) if word]
    is_off = words[0].lower() in ("no", "not", "kein", "keine", "nicht")
    named = words[1:] if is_off else words
    for count in range(len(named), 0, -1):
        option = forms.get(" ".join(named[:count]).lower())
        if option is None:
            continue
        if is_off:
            return option, option.read("no" if "no" in option.choices else "none")
        return option, option.read(_after(text, count))
    raise refused(Unreadable, "option", "no-option", word=text[:40])


def _after(text: str, count: int) -> str:
    """What stands after so many words, as it was written."""
    pattern = r"[\s_.:=-]*[^\s_.:=-]+" * count
    rest = re.sub(rf"^{pattern}[\s:=]*", "", text)
    return rest.strip("\"'")


def help_lines() -> list[str]:
    """All of them. Behind a bar, so that none is ever read as a command."""
    rules = [
        f"|   {told(option)} [{game.name}]"
        for _, game in sorted(all_games().items())
        for option in options_of(game)
        if option.path[0] == "house"
    ]
    return ["|", *(f"|   {told(option)}" for option in _options()), *rules]
