"""Tokens: nobody makes one up, and each is for one person, seat and turn."""

from __future__ import annotations

import math
import re

import pytest

from openplan.core.game import Seat
from openplan.mail.inbound.tokens import (
    GUEST,
    HOUSE,
    MASTER,
    SEAT,
    TOKEN,
    Claim,
    find_tokens,
    make_token,
    message_id,
    own_letter,
    proves,
    read_claim,
)

KEY = b"k" * 32
CLAIM = Claim("17", SEAT, Seat(2), 3)


@pytest.mark.parametrize(
    "claim", [CLAIM, Claim("17", MASTER, None, 0), Claim(HOUSE, GUEST, None, 999_999)]
)
def test_a_token_says_what_it_was_made_for(claim: Claim) -> None:
    token = make_token(KEY, claim, "sal")
    assert read_claim(token) == claim
    assert proves(KEY, token, "sal")
    assert len(f"orders+{token}".encode()) <= 64  # the most that an address has before its @


def test_a_token_proves_with_at_least_128_bits() -> None:
    mac = make_token(KEY, CLAIM, "sal").rpartition("-")[2]
    assert len(mac) * math.log2(32) >= 128
    letters = {
        letter
        for turn in range(300)
        for letter in make_token(KEY, Claim("17", SEAT, Seat(2), turn), "sal").rpartition("-")[2]
    }
    assert len(letters) == 32


def test_nothing_else_is_proved_by_it() -> None:
    token = make_token(KEY, CLAIM, "sal")
    assert not proves(b"j" * 32, token, "sal")
    assert not proves(KEY, token, "pat")
    for other in (
        token.replace("17-", "18-"),
        token.replace("-s2-", "-s1-"),
        token.replace("-3-", "-4-"),
        token.replace("-s2-", "-m-"),
        *(token[:at] + ("a" if token[at] != "a" else "b") + token[at + 1 :] for at in range(8, 34)),
    ):
        assert not proves(KEY, other, "sal"), other


def test_a_token_may_be_typed_from_paper() -> None:
    token = make_token(KEY, CLAIM, "sal")
    said, _, mac = token.rpartition("-")
    mistaken = f"{said}-{mac.replace('0', 'O').replace('1', 'l').replace('v', 'U')}".upper()
    assert read_claim(mistaken) == CLAIM
    assert proves(KEY, mistaken, "sal")
    assert find_tokens(f"To: <orders+{mistaken}@example.net>, other") == [mistaken.lower()]


@pytest.mark.parametrize("text", ["", "17-s2-3-", "17-s2-3-" + "a" * 25, "17-s2-3-" + "a" * 27])
def test_what_is_no_token_is_not_found(text: str) -> None:
    assert read_claim(text) is None
    assert find_tokens(f"see {text} there") == []


def test_the_pattern_has_no_groups_of_its_own() -> None:
    assert re.compile(TOKEN).groups == 0


def test_a_letter_of_ours_is_known_by_its_name_and_no_other_is() -> None:
    name = message_id(KEY, "report-17-3-s2", "mail.example.net")
    assert own_letter(KEY, name) == "report-17-3-s2"
    assert own_letter(KEY, name.upper()) == "report-17-3-s2"
    assert own_letter(KEY, name.replace("17", "18")) == ""
    assert own_letter(b"j" * 32, name) == ""
    assert own_letter(KEY, "<openplan.a.b@example.org>") == ""
