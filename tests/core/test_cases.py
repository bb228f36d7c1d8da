"""Case files: what is read, what is refused with file and line, and how a case fails."""

import pytest

from openplan.core.cases import CaseError, Failure, parse_cases, run_case
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import load_deck

GAME = game_named("human-resources")
DECK = load_deck(GAME)
HEAD = "case HR.4.1.1\ntitle A cubicle is laid\n"
TABLE = f"{HEAD}office\n  DL\n  LD\nhand A  P01d M03l\nhand B  P03l\n"


def run(text: str) -> Failure | None:
    (case,) = parse_cases(text, "t.case", GAME)
    return run_case(GAME, DECK, case)


def test_a_case_is_read_with_its_place_position_and_lines() -> None:
    text = f"# about\n\n{TABLE}turn A\ndo A: place P01d E2\nexpect office\n  DLD\n  LD.\nat 0\n"
    (case,) = parse_cases(text, "t.case", GAME)
    assert (case.source, case.line, case.name) == ("t.case", 3, "HR.4.1.1")
    assert case.title == "A cubicle is laid"
    assert case.position == {
        "office": ("DL", "LD"),
        "hand A": "P01d M03l",
        "hand B": "P03l",
        "turn": "A",
    }
    assert [(line.number, line.verb) for line in case.lines] == [(11, "do"), (12, "expect")]
    assert case.lines[1].rows == ("DLD", "LD.")
    assert run_case(GAME, DECK, case) is None


def test_a_row_of_a_drawing_may_begin_with_the_sign_of_a_comment() -> None:
    text = f"{HEAD}office\n  DL\n   #. \n# a comment\n  LD\nhand A  P01d\nexpect deck 1\n"
    (case,) = parse_cases(text, "t.case", GAME)
    assert case.position["office"] == ("DL", " #.", "LD")


def test_a_spectator_is_named_in_full_or_by_a_letter_that_no_seat_has() -> None:
    assert run(f"{TABLE}expect view spectator hand A: dark light\n") is None
    assert run(f"{TABLE}expect view S hand A: dark light\n") is None


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        ("title x\n", 1, "a file begins with"),
        ("case\ntitle x\ndo A: y\n", 1, "a case has a number"),
        ("case HR.1\ndo A: y\n", 1, "the line after `case` is its title"),
        (f"{HEAD}title-xx y\ndo A: x\n", 3, "a title in another language"),
        (f"{HEAD}title-de y\ntitle-de z\ndo A: x\n", 4, "a title in another language"),
        (HEAD, 1, "at least one line"),
        (f"{HEAD}hand A  P01d\nhand A  P02d\ndo A: x\n", 4, "`hand A` was said before"),
        (f"{HEAD}office\ndo A: x\n", 3, "`office` needs a value"),
        (f"{HEAD}do A: x\nhand A  P01d\n", 4, "set up before the first"),
        (f"{HEAD}do A place\n", 3, "names the seat"),
        (f"{HEAD}do C: place\n", 3, "names the seat"),
        (f"{HEAD}refuse A: place P01d E2\n", 3, "ends with ="),
        (f"{HEAD}refuse A: place P01d E2 =\n", 3, "ends with ="),
        (f"{HEAD}expect\n", 3, "`expect` says what"),
        (f"{HEAD}do A: x\n  DL\n", 4, "here is none"),
        (f"{HEAD}office\n DL\ndo A: x\n", 4, "indented by two spaces"),
        (f"{HEAD}do A: x\n{HEAD}do A: x\n", 4, "there is another case HR.4.1.1"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_line(text: str, line: int, fault: str) -> None:
    with pytest.raises(CaseError, match=rf"t\.case:{line}: .*{fault}"):
        parse_cases(text, "t.case", GAME)


@pytest.mark.parametrize(
    "line",
    [
        "expect hand A M03l P01d",
        "expect play A none",
        "expect discard none",
        "expect deck 47",
        "expect turn A",
        "expect over not over",
        "expect points A 0",
        "expect moves 18",
        "expect legal place P01d E2",
        "expect illegal place P01d E9",
        "expect at E1 Q03l",
        "expect view B hand A: light dark",
        "expect view B at E1: light",
        "expect view S deck: dark",
        "expect view A deck: dark",
        "expect office\n  DL\n  LD",
        "expect office\n  .DL\n  .LD\nat W1",
        "refuse A: place P01d E9 = not-adjacent HR-4.1",
        "refuse B: place P03l E2 = not-your-turn",
        "refuse A: plac P01d E2 = unreadable",
        "do -: pause\nrefuse A: place P01d E2 = paused",
        "do A: place P01d E2\nexpect tells B: place dark E2\nexpect turn B",
    ],
)
def test_what_is_so_passes(line: str) -> None:
    failure = run(f"{TABLE}{line}\n")
    assert failure is None, str(failure)


@pytest.mark.parametrize(
    ("line", "expected", "got"),
    [
        ("expect hand A P01d", "P01d", "M03l P01d"),
        ("expect deck 3", "3", "47"),
        ("expect turn B", "B", "A"),
        ("expect over A", "A", "not over"),
        ("expect moves 2", "2", "18"),
        ("expect legal place P01d E9", "legal", "illegal"),
        ("expect illegal place P01d E2", "illegal", "legal"),
        ("expect view B hand A: P01d light", "P01d light", "dark light"),
        ("expect view S at E1: Q03l", "Q03l", "light"),
        ("expect view C hand A: dark", "expect view C hand A: dark", "there is no viewer 'C'"),
        ("expect view A hand A", "expect view A hand A", "`expect view` has a colon"),
        ("expect nonsense A 3", "expect nonsense A 3", "a view shows no 'nonsense A'"),
        ("expect legal plac", "expect legal plac", "refused: unreadable"),
        ("expect office\n  DD\n  LD", "DD / LD at 0", "DL / LD at 0"),
        ("refuse A: place P01d E9 = occupied HR-4.1", "occupied HR-4.1", "not-adjacent HR-4.1"),
        ("refuse A: place P01d E2 = occupied HR-4.1", "occupied HR-4.1", "no refusal"),
        ("do A: place P01d E9", "do place P01d E9", "refused: not-adjacent HR-4.1"),
    ],
)
def test_what_is_not_so_fails_and_says_what_is(line: str, expected: str, got: str) -> None:
    failure = run(f"{TABLE}{line}\n")
    assert failure is not None
    assert failure.line == 8
    assert failure.expected == expected
    assert failure.got.startswith(got)
    assert failure.match is not None
    assert str(failure).startswith("t.case:8: HR.4.1.1 A cubicle is laid\n")


def test_a_table_that_cannot_be_set_up_is_a_failure() -> None:
    failure = run(f"{HEAD}hand A  P99d\nexpect turn A\n")
    assert failure is not None
    assert "P99d" in failure.got


def test_a_position_may_name_house_rules() -> None:
    assert run(f"{TABLE.replace('P01d', 'X01d')}promo yes\ndo A: project X01d\n") is None
    assert run(f"{TABLE.replace('P01d', 'X01d')}do A: project X01d\n") is not None


def test_a_game_may_answer_more() -> None:
    class Talkative(type(GAME)):  # type: ignore[misc]
        def answer_case(self, match: Match, text: str) -> str | None:
            return f"mood {'good' if match.ply else 'bad'}" if text.startswith("mood") else None

    text = f"{TABLE}expect mood bad\nexpect turn A\ndo A: place P01d E2\nexpect mood bad\n"
    (case,) = parse_cases(text, "t.case", GAME)
    failure = run_case(Talkative(), DECK, case)
    assert failure is not None
    assert (failure.line, failure.expected, failure.got) == (11, "mood bad", "mood good")
