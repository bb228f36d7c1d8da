"""A mail that is cut off is carried out whole or not at all."""

from __future__ import annotations

import pytest

from tests.mail.clients import SHAPES, Shape
from tests.mail.pieces import b64, single, text
from tests.mail.understanding import orders_in

WRITTEN = [
    "BEGIN",
    "WAIT",
    "1: card 23 N2 turn 1 employee E1",
    "2: card 17 N3",
    "PRESS TO P",
    "END of the world",
    "ENDPRESS",
    "3: employee E2",
    "END",
    "Sal",
]
LETTER = [":: Game 17", "BEGIN", "1: card ____ at ____ turn 0", "END"]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=list(SHAPES))
def test_a_cut_at_any_byte_never_carries_out_part(shape: Shape) -> None:
    raw = shape(WRITTEN, LETTER, "orders@example.net")
    whole = orders_in(raw)
    assert len(whole) == 5
    seen = set()
    for end in range(len(raw)):
        found = orders_in(raw[:end])
        assert found in ([], whole), f"cut at {end}: {raw[max(0, end - 40) : end]!r}"
        seen.add(bool(found))
    assert False in seen


def test_a_text_that_is_cut_after_end_in_its_code_is_not_carried_out() -> None:
    """Base64 may be cut at a line's end, wherever that is in the text: also in END of something."""
    seen = []
    for pad in range(57):
        body = b64(text(["x" * pad, *WRITTEN]).encode())
        raw = single("orders@example.net", body, "Content-Transfer-Encoding: base64")
        whole = orders_in(raw)
        head = len(raw) - len(body)
        for line in range(78, len(body), 78):
            found = orders_in(raw[: head + line])
            assert found in ([], whole)
            seen.append(found)
    assert [] in seen
