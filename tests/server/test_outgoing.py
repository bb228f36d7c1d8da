"""Requests leave for public hosts alone, unless the operator allows more."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from openplan.server.notify.outgoing import NotAllowed, Outgoing, Target
from openplan.server.telling import request
from tests.server.endpoints import LOOPBACK, endpoint

PUBLIC = ("93.184.215.14", "2606:2800:220:1::1")
NOT_PUBLIC = (
    *("127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255"),
    *("::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1"),
)


def why(allowed: Outgoing, address: str) -> str:
    with pytest.raises(NotAllowed) as error:
        allowed.read(address)
    return str(error.value)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_no_network_of_ones_own_is_reached(address: str) -> None:
    allowed, target = Outgoing(()), Target("https", "games.example", 443, "/")
    with pytest.raises(NotAllowed, match="network"):
        allowed.check(target, [address])
    # One that may be reached beside it is of no help.
    with pytest.raises(NotAllowed, match="network"):
        allowed.check(target, [*PUBLIC, address])
    host = f"[{address}]" if ":" in address else address
    assert why(allowed, f"https://{host}/x") == "outgoing-network"
    assert allowed.check(target, list(PUBLIC)) == list(PUBLIC)


@pytest.mark.parametrize(
    "address",
    [
        *("", "x", "//games.example/", "ftp://games.example/", "file:///etc/passwd", "https://"),
        *(
            "https://user@games.example/",
            "https://u:p@games.example/",
            "https://a b/",
            "https://ä.de",
        ),
        *("https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/"),
        *("https://games.example/\r\nHost: x", "https://games.example:99999/", "https://[::1/"),
        *("gopher://games.example/", f"https://games.example/{'a' * 1000}"),
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    assert why(Outgoing(()), address) == "outgoing-shape"


def test_the_operator_decides() -> None:
    assert why(Outgoing(("none",)), "https://games.example/") == "outgoing-off"
    some = Outgoing(("discord.com", "*.push.apple.com"))
    assert some.read("https://discord.com/api").path == "/api"
    assert some.read("https://web.push.apple.com/x?y=1").path == "/x?y=1"
    for host in ("example.org", "notdiscord.com", "push.apple.com", "discord.com.example.org"):
        assert why(some, f"https://{host}/") == "outgoing-host"
    assert why(Outgoing(()), "http://games.example/") == "outgoing-https"
    own = Outgoing(("10.1.0.0/16",))
    plain = Target("http", "inside.example", 80, "/")
    assert own.check(plain, ["10.1.2.3"]) == ["10.1.2.3"]
    with pytest.raises(NotAllowed, match="network"):
        own.check(plain, ["10.2.0.1"])
    with pytest.raises(NotAllowed, match="https"):
        own.check(plain, [PUBLIC[0]])


def test_a_name_that_leads_elsewhere_meanwhile_is_of_no_help(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was looked at is what is connected to, and it is looked up once."""
    asked: list[str] = []
    answers = [PUBLIC[0], "127.0.0.1"]

    async def look_up(_: Any, host: str, port: int, **more: Any) -> Any:
        asked.append(host)
        address = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    connected: list[Any] = []

    async def connect(host: str, port: int, **more: Any) -> Any:
        connected.append((host, more.get("server_hostname")))
        raise OSError

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", look_up)
    monkeypatch.setattr(asyncio, "open_connection", connect)
    target = Target("https", "rebind.example", 443, "/")
    with pytest.raises(request.Unsent):
        asyncio.run(request.send(Outgoing(()), target, "POST", {}, b""))
    assert (asked, connected) == (["rebind.example"], [(PUBLIC[0], "rebind.example")])


def test_a_redirect_leads_nowhere_and_no_answer_keeps_us_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(request, "SECONDS", 0.3)
    allowed = Outgoing(LOOPBACK)

    async def send(address: str) -> int:
        return await request.send(allowed, allowed.read(address), "POST", {}, b"{}")

    with endpoint() as there:
        there.answers = [302]
        assert asyncio.run(send(f"{there.address}/a")) == 302
        assert [got.path for got in there.got] == ["/a"]
        there.delay = 1.0
        with pytest.raises(request.Unsent, match="in time"):
            asyncio.run(send(f"{there.address}/b"))
    with pytest.raises(request.Unsent):
        asyncio.run(send(there.address))
