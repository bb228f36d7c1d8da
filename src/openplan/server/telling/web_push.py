"""Web push: a message sealed for one browser (RFC 8291, 8188), and who sends it (VAPID, RFC 8292).

The server's key is made from its secret, so that all its processes have the same and it is kept
nowhere else.
"""

from __future__ import annotations

import base64
import json
import os
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from openplan.server.clock import HOUR, SECOND
from openplan.server.notify.outgoing import Target
from openplan.server.notify.push_key import key_of, public_key

RECORD: Final = 4096
VALID_FOR: Final = 12 * HOUR
"""At most a day is allowed (RFC 8292, 2)."""


def sealed(
    message: bytes,
    receiver: bytes,
    auth: bytes,
    *,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes = b"",
) -> bytes:
    """The body of a push: one record (RFC 8291, 4). Key and salt are new each time; only a test
    gives its own."""
    own = own or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(16)
    sender = own.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver)
    shared = own.exchange(ec.ECDH(), theirs)
    info = b"WebPush: info\0" + receiver + sender
    secret = HKDF(SHA256(), 32, auth, info).derive(shared)
    key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
    text = AESGCM(key).encrypt(nonce, message + b"\2", None)
    return salt + RECORD.to_bytes(4, "big") + bytes([len(sender)]) + sender + text


def headers(secret: bytes, target: Target, contact: str, now: int) -> dict[str, str]:
    """Who sends it, for the push service, which may complain there."""
    claims = {
        "aud": f"{target.scheme}://{target.authority}",
        "exp": (now + VALID_FOR) // SECOND,
        "sub": contact,
    }
    token = signed_token(key_of(secret), claims)
    return {
        "authorization": f"vapid t={token}, k={public_key(secret)}",
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
    }


def signed_token(key: ec.EllipticCurvePrivateKey, claims: dict[str, object]) -> str:
    """A JSON web token, signed with ES256 (RFC 7515, 7518)."""
    head = {"typ": "JWT", "alg": "ES256"}
    parts = [base64url(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims)]
    text = ".".join(parts)
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(SHA256())))
    return f"{text}.{base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
