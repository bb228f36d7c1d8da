"""What an operator decides: one frozen object, from the environment and perhaps a TOML file.

`OPENPLAN_PORT=9000` or `port = 9000` in the file; the environment wins. The secret is not a
setting: it is made at the first start and kept in a file that only its owner can read.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from openplan.server.logs import LEVELS

PREFIX: Final = "OPENPLAN_"
NOT_SETTINGS: Final = frozenset({"OPENPLAN_PLAIN"})
"""What the kernels look at."""
SECRET_BYTES: Final = 32


class SettingsError(ValueError):
    """A setting that cannot be understood; the message names it."""


@dataclass(frozen=True, slots=True)
class Settings:
    data: Path = Path("data")
    """The folder for the database and the secret."""
    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""
    """Another store than the file in `data`: postgresql://..."""
    origins: tuple[str, ...] = ()
    """Where the site is reached if not as the Host header says: https://games.example"""
    secure: bool = False
    """Behind TLS: cookies only over https, and browsers told to stay there."""
    bot_processes: int = 1
    bot_seconds: float = 20.0
    proxies: tuple[str, ...] = ()
    """Addresses of proxies in front, which are believed when they say for whom they ask."""
    limits: bool = True
    """Rate limits; tests and closed networks may do without."""
    log_level: str = "info"
    metrics_token: str = ""
    """What whoever asks for `/metrics` has to show. Empty: there are none."""
    mail_address: str = ""
    """Where the judge is written to: orders@games.example. Empty: nobody can."""
    smtp_host: str = ""
    """Who carries letters. Empty: they are files in `data/letters`."""
    smtp_port: int = 0
    smtp_security: str = "tls"
    """`tls`, `starttls`, or `none` for a server on this host; the same for IMAP."""
    smtp_user: str = ""
    smtp_password: str = ""
    imap_host: str = ""
    """The mailbox in which mail to the judge arrives. Empty: none is polled."""
    imap_port: int = 0
    imap_security: str = "tls"
    imap_user: str = ""
    imap_password: str = ""
    imap_folder: str = "INBOX"
    mail_ca: str = ""
    """A file with the certificate of a private authority (PEM), believed by IMAP and SMTP."""
    lmtp_port: int = 0
    """Take mail from a mail server by LMTP, on this port of `host`; 0: do not."""
    smtpd_port: int = 0
    """The same by SMTP."""
    dkim_selector: str = ""
    dkim_key: str = ""
    """A file with the key, as PEM, with which letters are signed."""
    outgoing: tuple[str, ...] = ()
    """Where pushes and hooks may go: names of hosts, and networks beside the public ones. Empty:
    every public host. `none`: nowhere."""

    @property
    def mail_host(self) -> str:
        host = self.mail_address.rpartition("@")[2] or urlsplit(self.address).hostname
        return host or "localhost"

    @property
    def mail_sender(self) -> str:
        return self.mail_address or f"noreply@{self.mail_host}"

    def reply_address(self, token: str) -> str:
        """With the token in it, so that a plain reply shows it."""
        name, at, host = self.mail_address.partition("@")
        return f"{name}+{token}@{host}" if at and token else ""

    def is_mail_address(self, address: str) -> bool:
        """Whether somebody wrote to the judge, with or without a token."""
        name, _, host = address.lower().rpartition("@")
        own, _, own_host = self.mail_address.lower().partition("@")
        return bool(own) and host == own_host and name.partition("+")[0] == own

    @property
    def store_url(self) -> str:
        return self.database or f"sqlite:///{self.data / 'openplan.sqlite'}"

    @property
    def address(self) -> str:
        """Where letters send their readers. Never from a request: whoever asks for a link in
        another's name could choose where it leads."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.origins[0] if self.origins else f"http://{host}:{self.port}").rstrip("/")


def read_settings(
    environment: Mapping[str, str] | None = None, file: Path | None = None, **given: Any
) -> Settings:
    """The settings; what is given by name wins over the environment, that over the file."""
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    if file is not None:
        try:
            values = tomllib.loads(file.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise SettingsError(f"{file} cannot be read: {error}") from None
    known = {field.name: field.default for field in fields(Settings)}
    for variable, text in environment.items():
        if variable.startswith(PREFIX) and variable not in NOT_SETTINGS:
            values[variable.removeprefix(PREFIX).lower()] = text
    values |= {name: value for name, value in given.items() if value is not None}
    if unknown := sorted(set(values) - set(known)):
        raise SettingsError(f"there is no setting {unknown[0]!r}; there are: {', '.join(known)}")
    read = {name: _as(name, value, known[name]) for name, value in values.items()}
    for name, value in read.items():
        if name in _ASKED and not _ASKED[name][1](value):
            raise _wrong(name, values[name], _ASKED[name][0])
    return Settings(**read)


def _as(name: str, value: Any, default: Any) -> Any:
    """The value in the type of its default. A file has types of its own: what is a number there is
    no text, and `true` is no number."""
    try:
        if isinstance(default, bool):
            words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
            return words[str(value).lower()]
        if isinstance(default, tuple):
            return tuple(value.split()) if isinstance(value, str) else tuple(map(str, value))
        if isinstance(default, str | Path):
            return type(default)(os.fspath(value))
        return type(default)(str(value))
    except (KeyError, TypeError, ValueError):
        kinds = {bool: "yes or no", int: "a whole number", float: "a number"}
        raise _wrong(name, value, kinds.get(type(default), "text")) from None


def _wrong(name: str, value: Any, what: str) -> SettingsError:
    # What may hold a password is not repeated: it would stand in a log.
    is_secret = name == "database" or name.endswith(("password", "token"))
    said = "what it was set to" if is_secret else repr(str(value)[:60])
    return SettingsError(f"the setting {name!r} cannot be {said}: it is {what}")


def _is_origin(text: str) -> bool:
    """As a browser names the site it is at; a path or a slash more, and none would ever fit."""
    return re.fullmatch(r"https?://[^\s/?#@]+", text) is not None


def _is_host(text: str) -> bool:
    return re.fullmatch(r"(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", text) is not None


def is_network(text: str) -> bool:
    try:
        ip_network(text)
    except ValueError:
        return False
    return True


_Asked = tuple[str, Callable[[Any], bool]]
_PORT: Final[_Asked] = ("a port from 0 to 65535", lambda port: 0 <= port <= 65535)
_SECURITY: Final[_Asked] = ("one of tls, starttls, none", {"tls", "starttls", "none"}.__contains__)
_ASKED: Final[Mapping[str, _Asked]] = {
    "port": _PORT,
    "smtp_port": _PORT,
    "imap_port": _PORT,
    "lmtp_port": _PORT,
    "smtpd_port": _PORT,
    "smtp_security": _SECURITY,
    "imap_security": _SECURITY,
    "metrics_token": (
        "a secret of 16 to 200 letters, digits and -._~+/=",
        lambda token: not token or bool(re.fullmatch(r"[A-Za-z0-9._~+/=-]{16,200}", token)),
    ),
    "log_level": (f"one of {', '.join(LEVELS)}", LEVELS.__contains__),
    "bot_processes": ("a number from 1 to 256", lambda number: 1 <= number <= 256),
    "bot_seconds": ("a number of seconds up to 3600", lambda seconds: 0 < seconds <= 3600),
    "proxies": (
        "one or more addresses or networks, such as 127.0.0.1 or 10.0.0.0/8",
        lambda proxies: all(map(is_network, proxies)),
    ),
    "outgoing": (
        "hosts such as discord.com or *.push.apple.com, networks such as 10.0.0.0/8, or none",
        lambda allowed: all(is_network(word) or _is_host(word) for word in allowed),
    ),
    "origins": (
        "one or more of the form https://games.example, without a path",
        lambda origins: all(map(_is_origin, origins)),
    ),
    "mail_address": (
        "an address without a +, such as orders@games.example",
        lambda address: not address or bool(re.fullmatch(r"[^\s@+]+@[^\s@]+", address)),
    ),
    "mail_ca": (
        "a file with certificates, as PEM",
        lambda file: not file or Path(file).is_file(),
    ),
    "database": (
        "postgresql://USER@HOST/NAME or sqlite:///FILE",
        lambda url: not url or bool(re.match(r"postgres(ql)?://|sqlite:///.", url)),
    ),
}
"""What a setting is, in words, and whether a value is one."""


def load_secret(folder: Path) -> bytes:
    """The key of this installation, made when it is first asked for."""
    path = folder / "secret"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            secret = path.read_bytes()
        else:
            secret = secrets.token_bytes(SECRET_BYTES)
            with os.fdopen(descriptor, "wb") as file:
                file.write(secret)
                file.flush()
                os.fsync(file.fileno())
    except OSError as error:
        raise SettingsError(f"{path} cannot be used: {error.strerror}") from None
    _close(folder)
    if len(secret) != SECRET_BYTES:
        raise SettingsError(f"{path} does not hold {SECRET_BYTES} bytes; remove it for a new one")
    return secret


def _close(folder: Path) -> None:
    """Deals, sealed orders and letters are in it. Only once our secret is: a folder that somebody
    named by mistake, or that others share, stays as it is."""
    found = folder.stat()
    is_shared = bool(found.st_mode & stat.S_ISVTX)
    if found.st_uid == os.geteuid() and not is_shared:
        folder.chmod(0o700)
