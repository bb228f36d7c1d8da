"""The numbered public cases of every game, one test each."""

import pytest

from openplan.cli.cases import read_cases
from openplan.core.cases import Case, run_case
from openplan.core.game import AnyGame
from openplan.core.registry import all_games
from openplan.decks import load_deck

CASES = [
    pytest.param(game, case, id=case.name)
    for _, game in sorted(all_games().items())
    for case in read_cases(game)
]


@pytest.mark.parametrize(("game", "case"), CASES)
def test_case(game: AnyGame, case: Case) -> None:
    failure = run_case(game, load_deck(game), case)
    assert failure is None, str(failure)
