"""The answer to HELP: the commands that somebody may write, in their language."""

from __future__ import annotations

from textwrap import wrap

from openplan.mail.commands.grammar import VERBS, Verb
from openplan.mail.commands.port import Role
from openplan.mail.sentences import say
from openplan.mail.widths import PROSE


def help_lines(role: Role, topic: str = "", language: str = "en") -> list[str]:
    """The commands of somebody, or the one asked for. Behind a bar, so that none of it is ever
    read as one."""
    # Whoever has shown nothing yet does so by answering the letter in which this stands.
    roles = {role, Role.GUEST} if role is Role.KNOWN else {role}
    verbs = [verb for verb in VERBS.values() if roles & {*verb.whose}]
    verbs = [verb for verb in verbs if verb.word == topic.upper()] or verbs
    lines = []
    for verb in verbs:
        form, meaning, _ = verb.words(language)
        lines.append(f"| {verb.word} {form}".rstrip())
        lines += wrap(meaning, PROSE, initial_indent="|     ", subsequent_indent="|     ")
        if verb.has_text:
            lines.append(f"|     {say('help-text', {'word': verb.word}, language)}")
    return lines


def how(verb: Verb, language: str) -> str:
    """How a command is written."""
    return f"{verb.word} {verb.words(language).form}".rstrip()
