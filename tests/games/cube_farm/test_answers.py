"""What cases may ask of this game, and what becomes of a question that makes no sense."""

import pytest

from openplan.core.cases import parse_cases, run_case
from openplan.core.registry import game_named
from openplan.decks import load_deck

GAME = game_named("cube-farm")
DECK = load_deck(GAME)
TABLE = """\
case CF.5.1.1
title A corridor with a cube
draw top
  +-+ + +
  |# . E
  +-+ + +
"""


def fault(lines: str) -> str:
    """What a case on this table got that it did not expect."""
    (case,) = parse_cases(TABLE + lines, "t.case", GAME)
    failure = run_case(GAME, DECK, case)
    return "" if failure is None else failure.got


@pytest.mark.parametrize(
    ("question", "truth"),
    [
        ("cube top 0 0,E1", "cube top 0 0"),
        ("cube top E1 0", "cube top E1 none"),
        ("cube top E9999 0", "cube top E9999 none"),
        ("square top E9999 floor", "square top E9999 uncovered"),
        ("card top 0 1", "card top 0 none"),
        ("employee top 0 S", "employee top 0 none"),
        ("score top 0 1", "score top 0 none"),
        ("bonus top 0 c@E1 2", "bonus top 0 c@E1 none"),
        ("illegal top employee 0 taken CF-5.1", "fits top employee 0"),
        ("fits top employee E9999", "illegal top employee E9999 no-cube CF-5.1"),
        ("fits top 54 0", "illegal top 54 0 covered CF-4.1"),
        ("illegal top 54 S1/2 covered CF-4.1", "fits top 54 S1/2"),
        ("awaited S", "awaited S P T"),
        ("turn 2", "turn 1"),
        ("orders S nothing", "orders S none"),
        ("view P orders S: nothing", "view P orders S: none"),
        ("view spectator ordered S: nothing", "view spectator ordered S: none"),
    ],
)
def test_a_wrong_expectation_fails_with_the_truth(question: str, truth: str) -> None:
    assert fault(f"expect {question}\n") == truth
    assert fault(f"expect {truth}\n") == ""


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("placed S 1 card", "no turn has been adjudicated"),
        ("filled top none", "no turn has been adjudicated"),
        ("cube attic 0 0", "'attic' is not one of top, middle, basement"),
        ("cube top", "says too little"),
        ("cube top here 0", "not a square"),
        ("bonus top 0 Q@E1 none", "not a letter and a square"),
        ("bonus top 0 c none", "not a letter and a square"),
        ("fits top 99 0", "'99' is not one of"),
        ("fits top 54 0/4", "'4' is not one of 0, 1, 2, 3"),
        ("total X 1", "'X' is not one of S, P, T"),
        ("view X orders S: none", "'X' is not one of S, P, T"),
        ("view P gossip: none", "a view shows no"),
    ],
)
def test_a_question_without_sense_is_no_answer(question: str, reason: str) -> None:
    assert reason in fault(f"expect {question}\n")
