"""Sends pushes and hooks, and tries again what could not be sent."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
from collections import defaultdict
from typing import Any, ClassVar, Final

import msgspec
import structlog

from openplan.mail.outbound.letter import to_data
from openplan.server.clock import SECOND
from openplan.server.notify import addresses, letters, tellings
from openplan.server.notify.addresses import HookRow, PushRow
from openplan.server.notify.letters import WholeLetter
from openplan.server.notify.outbox import Carrier
from openplan.server.notify.outgoing import NotAllowed, Outgoing
from openplan.server.notify.tellings import USEFUL_FOR, Telling
from openplan.server.refusals import SENTENCES
from openplan.server.site import Site
from openplan.server.store import StoreError, Tx, jobs
from openplan.server.store.jobs import Job
from openplan.server.telling import request, web_push
from openplan.server.telling.words import Said, as_letter, words

GONE: Final = (404, 410)
"""Nobody takes anything there any more (RFC 8030, 7.3)."""
LATER: Final = (408, 425, 429)
_MARKS: Final = re.compile(r"([\\*_~`|<>\[\]()])")
_ESCAPED: Final = r"\\\1"
"""What makes a link or a style of words in Discord, and how it is told not to."""

log = structlog.get_logger()


class Parcel(msgspec.Struct, frozen=True):
    """What is sent, and where to."""

    method: str
    address: str
    headers: dict[str, str]
    body: bytes


class Teller(Carrier):
    kind: ClassVar[str] = "telling"

    def __init__(self, site: Site) -> None:
        super().__init__(site.store, site.now)
        self._site = site
        self.outgoing = Outgoing(site.settings.outgoing)

    async def _carry_all(self, taken: list[Job]) -> None:
        """One after the other where they go to the same address, and beside each other else: one
        that does not answer keeps nobody waiting."""
        lines: defaultdict[str, list[Job]] = defaultdict(list)
        for job in taken:
            lines[job.payload.get("address") or job.ident].append(job)
        await asyncio.gather(*map(super()._carry_all, lines.values()))

    async def _carry(self, job: Job) -> None:
        try:
            found = await self._store.transact(lambda tx: self._write(tx, job))
        except StoreError:
            raise
        except NotAllowed as error:
            why = SENTENCES.say(str(error), {})
            await self._store.transact(lambda tx: _refused(tx, job, tellings.telling_of(job), why))
            return
        except Exception as error:  # noqa: BLE001 - one must not hold up the others
            # Perhaps another version of this program has posted it, and can write it.
            await self._again(job, type(error).__name__)
            return
        if found is None:
            return
        telling, parcel = found
        try:
            target = self.outgoing.read(parcel.address)
            status = await request.send(
                self.outgoing, target, parcel.method, parcel.headers, parcel.body
            )
        except NotAllowed as error:
            why = SENTENCES.say(str(error), {})
            await self._store.transact(lambda tx: _refused(tx, job, telling, why))
        except request.Unsent as error:
            await self._again(job, str(error), telling)
        else:
            await self._store.transact(lambda tx: self._answered(tx, job, telling, status))

    def _answered(self, tx: Tx, job: Job, telling: Telling, status: int) -> None:
        if 200 <= status < 300:
            if jobs.done(tx, job) and telling.channel == "hook":
                addresses.note_trouble(tx, telling.address, None)
        elif status >= 500 or status in LATER:
            self._later(tx, job, f"status {status}", telling)
        else:
            # A redirect is refused too: it could lead anywhere.
            if telling.channel == "push" and status in GONE:
                addresses.drop_push(tx, telling.address)
            _refused(tx, job, telling, f"status {status}")

    async def _again(self, job: Job, trouble: str, telling: Telling | None = None) -> None:
        await self._store.transact(lambda tx: self._later(tx, job, trouble, telling))

    def _later(self, tx: Tx, job: Job, trouble: str, telling: Telling | None) -> None:
        now = self._now()
        at = job.payload.get("at", 0)
        if now > at + USEFUL_FOR and job.tries > 1:
            log.warning("something could not be told", reason=trouble, tries=job.tries)
            if telling is None:
                jobs.done(tx, job)
            else:
                _refused(tx, job, telling, trouble)
        else:
            jobs.retry(tx, job, trouble, now=now)

    # -- Written -----------------------------------------------------------------------------

    def _write(self, tx: Tx, job: Job) -> tuple[Telling, Parcel] | None:
        """What is to be sent; nothing if there is nobody to read it any more, or if it went on as a
        letter or as one for each address."""
        telling = tellings.telling_of(job)
        said = words(tx, self._site.writers, self._site.settings.address, telling)
        if said is not None and telling.what == "digest" and not telling.address:
            if jobs.done(tx, job):
                self._hand_on(tx, telling, said)
            return None
        parcel = None if said is None else self._parcel(tx, job, telling, said)
        if parcel is None:
            jobs.done(tx, job)
            return None
        return telling, parcel

    def _hand_on(self, tx: Tx, telling: Telling, said: Said) -> None:
        now = self._now()
        if telling.channel == "mail":
            letter = to_data(as_letter(said))
            letters.post(tx, WholeLetter(to=telling.to, at=now, kind="digest", letter=letter))
            return
        for address in tellings.addresses(tx, telling.to, telling.channel):
            tellings.post(tx, msgspec.structs.replace(telling, address=address, at=now))

    def _parcel(self, tx: Tx, job: Job, telling: Telling, said: Said) -> Parcel | None:
        if telling.channel == "push":
            push = addresses.push(tx, telling.address)
            # A browser is told only what is for the person who is signed in there.
            return None if push is None or push.user_id != telling.to else self._push(push, said)
        hook = addresses.hook(tx, telling.address)
        if hook is None or (telling.to and hook.user_id != telling.to):
            return None
        return self._hook(hook, job, telling, said)

    def _push(self, push: PushRow, said: Said) -> Parcel:
        target = self.outgoing.read(push.endpoint)
        settings = self._site.settings
        contact = f"mailto:{settings.mail_address}" if settings.mail_address else settings.address
        message = {
            "title": said.title,
            "body": "\n".join((said.text, *said.lines)),
            "link": said.link.removeprefix(settings.address),
            "tag": said.table or said.what,
        }
        body = web_push.sealed(
            msgspec.json.encode(message)[:3000],
            web_push.from_base64url(push.key),
            web_push.from_base64url(push.auth),
        )
        headers = web_push.headers(self._site.secret, target, contact, self._now())
        topic = hashlib.sha256(message["tag"].encode()).digest()[:24]
        headers |= {
            "ttl": str(USEFUL_FOR // SECOND),
            "topic": web_push.base64url(topic),
            "urgency": "high" if said.what in ("late", "reminder") else "normal",
        }
        return Parcel("POST", push.endpoint, headers, body)

    def _hook(self, hook: HookRow, job: Job, telling: Telling, said: Said) -> Parcel:
        headers = {"content-type": "application/json"}
        text = f"{said.whole}\n{said.link}"
        if hook.kind == "discord":
            plain = f"{_MARKS.sub(_ESCAPED, said.whole)}\n{said.link}"
            return _json("POST", hook.address, headers, _discord(plain))
        if hook.kind == "slack":
            return _json("POST", hook.address, headers, {"text": _escaped(text)})
        if hook.kind == "matrix":
            # The same name each time: a server that has it already takes no second (Matrix, 10.5).
            headers["authorization"] = f"Bearer {hook.secret}"
            address = f"{hook.address.rstrip('/')}/{job.ident}"
            return _json("PUT", address, headers, {"msgtype": "m.notice", "body": text})
        message = {
            "what": said.what,
            "title": said.title,
            "text": said.text,
            "lines": list(said.lines),
            "link": said.link,
            "table": said.table or None,
            "due": said.due,
            "at": telling.at,
        }
        parcel = _json("POST", hook.address, headers, message)
        key = addresses.signing_key(self._site.secret, hook.id)
        return msgspec.structs.replace(
            parcel, headers=headers | signature(key, job.ident, self._now(), parcel.body)
        )


def signature(key: bytes, name: str, now: int, body: bytes) -> dict[str, str]:
    """As standardwebhooks.com has it: over name, time and body."""
    at = now // SECOND
    mark = hmac.new(key, f"{name}.{at}.".encode() + body, hashlib.sha256).digest()
    signed = f"v1,{base64.b64encode(mark).decode()}"
    return {"webhook-id": name, "webhook-timestamp": str(at), "webhook-signature": signed}


def _json(method: str, address: str, headers: dict[str, str], message: Any) -> Parcel:
    return Parcel(method, address, headers, msgspec.json.encode(message))


def _discord(text: str) -> dict[str, Any]:
    """Nobody is called by a name that looks like a call; links are shown as they are."""
    return {"content": text[:1900], "allowed_mentions": {"parse": []}, "flags": 4}


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _refused(tx: Tx, job: Job, telling: Telling, trouble: str) -> None:
    """It will not be taken. Of a hook its owner sees why."""
    if jobs.done(tx, job):
        log.warning("something was not taken", channel=telling.channel, reason=trouble)
        if telling.channel == "hook":
            addresses.note_trouble(tx, telling.address, trouble[:200])
