"""`openplan play` with a game of sealed orders."""

from random import Random

from openplan.cli.play import Session, assign_seats
from openplan.core.deal import seeded
from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.games.cube_farm.game import GAME
from tests.cli.test_play import CLEARED, Script
from tests.games.cube_farm.compare import shipped_deck


def session(answers: list[str], *, hot_seat: bool) -> tuple[Match, Script]:
    match = Match.start(GAME, shipped_deck(), secret=seeded(4))
    screen = Script(answers)
    Session(match, assign_seats(GAME, [], "", hot_seat), screen, Random(1)).run()
    return match, screen


def test_three_at_one_screen_hand_it_over_and_see_no_hand_but_their_own() -> None:
    answers = ["", "nothing"] + ["", "", "nothing"] * 2
    match, screen = session(answers, hot_seat=True)
    assert match.state.table.turn == 2
    assert match.deal is not None
    parts = screen.text.split(CLEARED)
    for code in GAME.seats:
        own = [f"\u250c{name}\u2500" for name in match.deal[f"hand {code}"]]
        seen = [part for part in parts if any(card in part for card in own)]
        assert seen
        for other in GAME.seats:
            hand = [f"\u250c{name}\u2500" for name in match.deal[f"hand {other}"]]
            assert other == code or not any(card in part for part in seen for card in hand)


def test_bots_answer_and_what_may_be_lost_is_warned_of() -> None:
    card = Match.start(GAME, shipped_deck(), secret=seeded(4)).view(Seat(0)).hands[0][0]
    name = shipped_deck().name_of(card)
    match, screen = session([f"1: card {name} 0", "moves 1", "hint", "quit"], hot_seat=False)
    assert match.state.table.turn == 2
    assert (
        "Careful: phase 1, top floor, as it stands: 0 is covered already [CF-4.1]." in screen.text
    )
    assert "Moves: " in screen.text


def test_when_two_have_left_the_third_plays_on() -> None:
    answers = ["", "resign", "yes", "", "", "resign", "yes", "", ""] + ["nothing"] * 5
    match, _ = session(answers, hot_seat=True)
    assert match.outcome is not None
    assert match.outcome.reason == "points"
