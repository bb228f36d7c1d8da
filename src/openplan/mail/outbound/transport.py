"""How a mail leaves: by SMTP, or into a folder where it can be read without any account."""

from __future__ import annotations

import os
import re
import ssl
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import aiosmtplib


class Undelivered(Exception):
    """A mail did not leave. `for_good`: the address does not take it, so trying again is no use."""

    def __init__(self, reason: str, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.for_good = for_good


class Transport(ABC):
    @abstractmethod
    async def send(self, mail: bytes, sender: str, recipient: str, message_id: str) -> None:
        """Hand over one mail; raises `Undelivered`. Handing it over twice does no harm."""


class Folder(Transport):
    """Each mail a file, named by its id, readable by its owner alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def file(self, message_id: str) -> Path:
        """Where the mail of this id is, if it was sent."""
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", message_id.partition("@")[0]).strip("-")
        return self._folder / f"{name}.eml"

    async def send(self, mail: bytes, sender: str, recipient: str, message_id: str) -> None:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._write(self.file(message_id), mail)
        except OSError as error:
            raise Undelivered(f"the folder of letters cannot be written: {error}") from error

    @staticmethod
    def _write(path: Path, mail: bytes) -> None:
        half = path.with_suffix(".part")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(os.open(half, flags, 0o600), "wb") as file:
            file.write(mail)
            file.flush()
            os.fsync(file.fileno())
        half.rename(path)


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """`security` is `tls` from the first byte, `starttls`, or `none` for a server on this host."""

    host: str
    port: int = 0
    security: str = "tls"
    user: str = ""
    password: str = ""
    seconds: float = 30
    authority: str = ""
    """A file with the certificate of a private CA, besides those that the system knows."""


class Smtp(Transport):
    def __init__(self, settings: SmtpSettings) -> None:
        self._settings = settings

    async def send(self, mail: bytes, sender: str, recipient: str, message_id: str) -> None:
        import aiosmtplib

        try:
            async with self._client() as server:
                await server.sendmail(sender, [recipient], mail)
        except aiosmtplib.SMTPRecipientsRefused as error:
            refused = error.recipients[0]
            raise Undelivered(
                f"{refused.code} {refused.message}", for_good=500 <= refused.code < 600
            ) from error
        except aiosmtplib.SMTPResponseException as error:
            # 5xx for the sender or for signing in is our own trouble: mend it and try again.
            raise Undelivered(f"{error.code} {error.message}") from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise Undelivered(str(error) or type(error).__name__) from error

    async def check(self) -> None:
        """Connect and sign in, and send nothing; raises `Undelivered` with what is wrong."""
        import aiosmtplib

        try:
            async with self._client() as server:
                await server.noop()
        except (aiosmtplib.SMTPException, OSError) as error:
            raise Undelivered(str(error) or type(error).__name__) from error

    def _trusted(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if self._settings.authority:
            context.load_verify_locations(self._settings.authority)
        return context

    def _client(self) -> aiosmtplib.SMTP:
        import aiosmtplib

        settings = self._settings
        return aiosmtplib.SMTP(
            hostname=settings.host,
            port=settings.port or None,
            use_tls=settings.security == "tls",
            start_tls=settings.security == "starttls",
            username=settings.user or None,
            password=settings.password or None,
            timeout=settings.seconds,
            tls_context=None if settings.security == "none" else self._trusted(),
        )
