"""Writes the letters about an account, in the reader's language."""

from __future__ import annotations

from typing import Final

from openplan.core.sentences import Sentences
from openplan.mail.outbound.letter import Letter, Plain, Words
from openplan.server.notify.letters import AccountLetter
from openplan.server.people import one_time_links

_SENTENCES: Final = Sentences.of("account")


def phrased(queued: AccountLetter, language: str, *, site: str, secret: bytes) -> Letter:
    """The same each time. `link` leads to the page that uses the letter's ticket."""
    known = {"site": site, "by_mail": "", "link": ""}
    if queued.reply_to:
        known["by_mail"] = _SENTENCES.say("by-mail", {}, language)
    if queued.ticket:
        token = one_time_links.token(secret, queued.ticket)
        known["link"] = f"{site}/letter/{queued.kind}#{token}"
    text = _SENTENCES.say(queued.kind, known, language)
    parts = [part for part in text.split("\n\n") if part]
    # A link stands on a line of its own, however long it is.
    blocks = [Plain(part) if part.startswith("http") else Words(part) for part in parts]
    return Letter(queued.kind, _SENTENCES.say(f"{queued.kind}-subject", known, language), blocks)
