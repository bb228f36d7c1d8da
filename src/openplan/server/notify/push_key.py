"""The key by which push services know this server. It is made from the server's secret, so that all
its processes have the same and it is kept nowhere else."""

from __future__ import annotations

import base64
from functools import lru_cache
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the points of P-256."""


@lru_cache(maxsize=4)
def key_of(secret: bytes) -> ec.EllipticCurvePrivateKey:
    # 16 bytes more than the key has, so that the remainder favours no number (FIPS 186-5, A.2.1).
    made = HKDF(SHA256(), 48, None, b"openplan web push").derive(secret)
    number = int.from_bytes(made, "big") % (_ORDER - 1) + 1
    return ec.derive_private_key(number, ec.SECP256R1())


@lru_cache(maxsize=4)
def public_key(secret: bytes) -> str:
    """As a browser wants it: a point, in base64url."""
    point = key_of(secret).public_key()
    data = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
