"""Records forged with care, so that their check line and their commitment fit, of every game."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random

import pytest

from openplan.core.deal import salted, seal
from openplan.core.game import OPEN, AnyGame, GameError, Viewer
from openplan.core.log import KINDS
from openplan.core.match import Match
from openplan.core.record import read_record, write_record
from tests.probes import every_game, find_deck, game_named, new_match, play_on, viewers

GAMES = pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
EXTRA = (*KINDS, "1", "9999", "-", "->", "?", "E9999", "N31", "0")


def forged(lines: list[str], words: list[str], rng: Random) -> list[str]:
    """The record with a few words or lines after the house rules exchanged, left out or doubled."""
    lines = list(lines)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        place = rng.randrange(4, len(lines))
        line = lines[place].split(" ")
        word = rng.randrange(len(line))
        what = rng.randrange(5)
        if what == 0:
            del line[word]
        elif what == 1:
            line.insert(word, rng.choice(words))
        elif what == 2:
            line = rng.choice(lines[4:]).split(" ")
        else:
            line[word] = rng.choice(words) + "," * line[word].endswith(",")
        lines[place] = " ".join(line)
    return lines


def made_to_fit(lines: list[str]) -> str:
    """Entries numbered again, the commitment and the check computed again."""
    body = []
    number = 0
    for line in lines:
        first, dot, rest = line.partition(". ")
        if dot and first.isdigit():
            number += 1
            line = f"{number}. {rest}"
        body.append(line)
    salt = next((line[6:] for line in body if line.startswith("salt: ")), None)
    secret = next((line[15:] for line in body if line.startswith("chance server: ")), None)
    opened = ""
    if secret is not None:
        opened = f"commitment: {seal(secret)}"
    if salt is not None:
        deal = {
            label[5:]: tuple(cards.split())
            for label, colon, cards in (line.partition(":") for line in body)
            if colon and label.startswith("deal ")
        }
        opened = f"commitment: {salted(salt, deal)}"
    if opened:
        body = [opened if line.startswith("commitment: ") else line for line in body]
    text = "".join(f"{line}\n" for line in body)
    return f"{text}check: {hashlib.sha256(text.encode()).hexdigest()}\n"


def moments(game: AnyGame, rng: Random) -> Iterator[tuple[Match, Viewer]]:
    for _ in range(4):
        match = new_match(game, rng)
        play_on(match, rng, rng.randrange(60))
        for viewer in viewers(game):
            yield match, viewer


@GAMES
@pytest.mark.parametrize("seed", range(6))
def test_a_forged_record_is_refused_or_is_a_record(game: AnyGame, seed: int) -> None:
    rng = Random(f"{game.name} forged {seed}")
    refused = 0
    for match, viewer in moments(game, rng):
        lines = write_record(match, viewer).split("\n")[:-2]
        words = sorted({word.rstrip(",") for line in lines for word in line.split(" ")})
        for _ in range(12):
            text = made_to_fit(forged(lines, [*words, *EXTRA], rng))
            try:
                again = read_record(text, game_named, find_deck)
            except GameError:
                refused += 1
            else:
                assert write_record(again, again.viewer) == text
    assert refused > 100


@GAMES
def test_the_forger_leaves_a_good_record_good(game: AnyGame) -> None:
    rng = Random(1)
    for match, viewer in moments(game, rng):
        text = write_record(match, viewer)
        assert made_to_fit(text.split("\n")[:-2]) == text
        assert read_record(text, game_named, find_deck).viewer in (viewer, OPEN)
