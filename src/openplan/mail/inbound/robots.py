"""Who is never answered (threat 10, RFC 3834): robots, bounces, lists, and our own letters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from openplan.mail.inbound.mime import Headers, Part, decoded_words, only_address
from openplan.mail.inbound.tokens import own_letter

_NOBODY: Final = re.compile(
    r"(?:mailer-daemon|postmaster|daemon|nobody|noreply|no-reply|no_reply|donotreply|do-not-reply"
    r"|auto-?reply|autoresponder|vacation|bounces?|listserv|majordomo|.*-(?:request|bounces|relay)"
    r"|owner-.*|.*-owner)(?:[+=-].*)?@.*"
)
_PRECEDENCE: Final = re.compile(r"bulk|junk|list|auto_?-?reply", re.IGNORECASE)
_SUPPRESS: Final = re.compile(r"\b(?:all|autoreply)\b", re.IGNORECASE)
# What vacation programs put before a subject. People write `Re:`.
_AWAY: Final = re.compile(
    r"\s*(?:\[?auto(?:matic(?:ally)?|matische|mated|matique)?[ _-]*(?:repl(?:y|ied)|antwort|"
    r"respon[sd]|generated)|autoreply|(?:i(?:'m| am) )?(?:currently )?out of (?:the )?office|"
    r"(?:on|am on) (?:vacation|holiday|leave)|away from (?:the |my )?(?:office|desk)|"
    r"abwesen(?:d|heit)|nicht im (?:b[üu]ro|haus)|im urlaub|urlaub:|r[ée]ponse automatique|"
    r"absence du bureau|absent|respuesta autom|fuera de (?:la )?oficina|risposta automatica|"
    r"fuori sede|resposta autom|automatisch antwoord|afwezig|autosvar|automatiskt? svar|"
    r"automaattinen vastaus|odpowied. automatyczna|automatick. odpov|otomatik yan|"
    r"автоматический ответ|自动回复|自動回覆|自動応答|undeliver|undelivered|unzustellbar|"
    r"delivery (?:status|failure)|mail delivery|returned mail|failure notice|vacation)",
    re.IGNORECASE,
)
_ROBOTIC: Final = (
    "x-autoreply",
    "x-autorespond",
    "x-autoresponder",
    "x-auto-reply-from",
    "x-vacation",
    "x-fc-machinegenerated",
    "x-ms-exchange-inbox-rules-loop",
    "x-mdn-automatic",
)
_LISTS: Final = ("list-id", "list-post", "list-unsubscribe", "list-help", "mailing-list", "x-loop")
_ID: Final = re.compile(r"<?openplan\.[^\s<>]{1,400}")


@dataclass(frozen=True, slots=True)
class Bounce:
    """A report that a letter could not be delivered: which of ours, and with what status."""

    letters: tuple[str, ...]
    status: str
    is_lasting: bool


def why_silent(headers: Headers, root: Part, key: bytes) -> str:
    """Why nothing that this mail says may be done or answered; empty if a person may have sent it.

    What the sender's program says of itself is enough: no header makes a robot into a person, nor
    does the same header once more, with another value or none."""
    if own_letter(key, headers.first("message-id")) or headers.first("x-openplan-letter"):
        return "own-letter"
    if root.kind == "multipart/report" or root.kind.startswith("message/delivery-status"):
        return "report"
    returns = headers.all("return-path")
    if any(not value.strip("<> \t") for value in returns):
        return "empty-return-path"
    for value in headers.all("auto-submitted"):
        if value.partition(";")[0].strip().lower() not in ("", "no"):
            return "auto-submitted"
    if any(_PRECEDENCE.search(value) for value in headers.all("precedence")):
        return "precedence"
    if any(any(headers.all(name)) for name in _LISTS):
        return "list"
    if any(any(headers.all(name)) for name in _ROBOTIC):
        return "robot"
    for name in ("from", "sender"):
        if _NOBODY.fullmatch(only_address(headers.first(name))):
            return "nobody"
    return ""


def robot_hint(headers: Headers) -> str:
    """What robots say, but also large providers of the personal mail of people: it counts unless a
    token shows that a person has read a letter of ours."""
    if any(headers.all("feedback-id")):
        return "robot"
    if any(_SUPPRESS.search(value) for value in headers.all("x-auto-response-suppress")):
        return "suppressed"
    return ""


def seems_away(headers: Headers) -> bool:
    """Without a word for us, such a subject is a robot's. (With one it counts for nothing.)"""
    return _AWAY.match(decoded_words(headers.first("subject"))[:200]) is not None


def bounce_in(headers: Headers, root: Part, key: bytes) -> Bounce | None:
    """What a delivery report says of letters of ours, if it is one and names any. Only we can make
    up their names, so that a forged report harms nobody."""
    reports = [part for part in root.leaves() if part.kind == "message/delivery-status"]
    if not reports and root.kind != "multipart/report":
        return None
    found: dict[str, None] = {}
    texts = [value for name in ("in-reply-to", "references") for value in headers.all(name)]
    for part in root.leaves():
        if part.kind.startswith(("message/", "text/rfc822-headers")):
            texts.append(part.body[:65536].decode("latin-1"))
    for text in texts:
        for name in _ID.findall(text):
            if letter := own_letter(key, name):
                found[letter] = None
    status = ""
    for part in reports:
        said = re.search(rb"(?im)^status:[ \t]*([245]\.\d{1,3}\.\d{1,3})", part.body[:65536])
        if said:
            status = said[1].decode("ascii")
    if not found:
        return None
    return Bounce(tuple(found), status, status.startswith("5"))
