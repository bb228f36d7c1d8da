"""The long proofs of reading mail; `tests/soak.py` runs them."""

from __future__ import annotations

from tests.mail.mutations import SLOW, run

MAILS = 2000
PROOFS = [
    (
        "mail-mutations",
        "mails changed by chance crash nothing, give no wrong order, answer no robot, 50 ms at p99",
        "mails",
        "mutations",
    )
]


def mutations(seed: int) -> int:
    took = sorted(run(1_000 + seed, MAILS))
    slow = took[len(took) * 99 // 100]
    assert slow < SLOW, f"{slow * 1000:.1f} ms at p99"
    return MAILS
