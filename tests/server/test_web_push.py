"""A push is sealed as RFC 8291 has it, and signed as RFC 8292."""

from __future__ import annotations

import base64
import json

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from openplan.server.notify.outgoing import Target
from openplan.server.notify.push_key import key_of, public_key
from openplan.server.telling import web_push
from openplan.server.telling.web_push import from_base64url, sealed
from tests.server.endpoints import Browser

SECRET = b"s" * 32


def test_the_example_of_the_standard() -> None:
    """RFC 8291, 5."""
    private = from_base64url("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    own = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP256R1())
    body = sealed(
        b"When I grow up, I want to be a watermelon",
        from_base64url(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        ),
        from_base64url("BTBZMqHH6r4Tts7J_aSIgg"),
        own=own,
        salt=from_base64url("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert web_push.base64url(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_each_is_sealed_anew_and_read_by_its_browser_alone() -> None:
    browser = Browser("")
    keys = browser.subscription["keys"]
    point, auth = from_base64url(keys["p256dh"]), from_base64url(keys["auth"])
    bodies = [sealed(b'{"a":1}', point, auth) for _ in range(3)]
    assert len(set(bodies)) == 3
    assert [browser.read(body) for body in bodies] == [{"a": 1}] * 3


def test_the_server_says_who_it_is() -> None:
    target = Target("https", "push.example", 443, "/x")
    headers = web_push.headers(SECRET, target, "mailto:a@b.example", 1_700_000_000_000_000)
    scheme, _, rest = headers["authorization"].partition(" ")
    token, key = (part.strip().partition("=")[2] for part in rest.split(","))
    assert (scheme, key) == ("vapid", public_key(SECRET))
    head, claims, mark = token.split(".")
    assert json.loads(from_base64url(claims)) == {
        "aud": "https://push.example",
        "exp": 1_700_000_000 + 12 * 3600,
        "sub": "mailto:a@b.example",
    }
    raw = from_base64url(mark)
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key_of(SECRET).public_key().verify(
        encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(SHA256())
    )


def test_the_key_is_made_of_the_secret() -> None:
    """So that all processes have the same, and a browser that subscribed at one is told by all."""
    assert public_key(SECRET) == public_key(bytes(SECRET)) != public_key(b"t" * 32)
    assert len(base64.urlsafe_b64decode(public_key(SECRET) + "=")) == 65
