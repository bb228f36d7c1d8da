"""Decks made at random: cards of many sizes whose cubes open to all sides, so that much is joined
that a well-made deck joins seldom."""

from __future__ import annotations

from random import Random

from openplan.games.cube_farm.cards import MACHINES, FarmDeck
from openplan.games.cube_farm.game import GAME

HEAD = 'format = "open-plan deck 1"\ngame = "cube-farm"\nname = "random"\ntitle = "Random"\n'
BONUS = "PDLFCcsyw"
CARD = '\n[[card]]\nnumber = {number}\ntitle = "Card"\ntext = "."\ndrawing = [\n{rows}\n]\n'


def random_deck(rng: Random) -> FarmDeck:
    cards = rng.randrange(48, 60)
    vps = rng.sample(range(1, cards + 1), 3)
    text = HEAD + _values(rng)
    for number in range(1, cards + 1):
        rows = _card(rng, has_elevator=number <= 5, has_vp=number in vps)
        text += CARD.format(number=number, rows="\n".join(f'  "{row}",' for row in rows))
    return GAME.read_deck(text, "random")


def _values(rng: Random) -> str:
    """Half of the decks have machines that are worth something else."""
    stated = [f"{name} = {rng.randrange(1, 10)}" for name in MACHINES if rng.random() < 0.5]
    return f"values = {{ {', '.join(stated)} }}\n" if rng.random() < 0.5 else ""


def _card(rng: Random, has_elevator: bool, has_vp: bool) -> list[str]:
    sizes = [(3, 2), (3, 2), (3, 2), (2, 3), (2, 2), (1, 3), (3, 3), (1, 1), (1, 2)]
    width, height = rng.choice(sizes)
    kinds = [rng.choice(f"....###R{rng.choice(BONUS)}") for _ in range(width * height)]
    if has_elevator:
        kinds[rng.randrange(len(kinds))] = "E"
    elif has_vp:
        kinds[rng.randrange(len(kinds))] = "V"
    rows = []
    for y in range(height + 1):
        rows.append("+" + "".join(f"{rng.choice('    -')}+" for _ in range(width)))
        if y < height:
            squares = kinds[y * width : (y + 1) * width]
            rows.append("".join(f"{rng.choice('    |')}{kind}" for kind in squares) + " ")
    return rows
