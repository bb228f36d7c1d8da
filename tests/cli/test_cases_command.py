"""`openplan cases`: failures are drawn, the last line counts."""

from pathlib import Path

import pytest

from tests.cli.command import openplan

GOOD = "case HR.4.1.1\ntitle Good\nhand A  P01d\nhand B  P03l\ndo A: place P01d E2\n"
BAD = "case HR.4.2.1\ntitle Bad\nhand A  P01d\nhand B  P03l\ndo A: place P01d E9\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my.case"
    path.write_text(f"{GOOD}\n{BAD}")
    return path


def test_a_failure_is_named_and_drawn_and_counted(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    result = openplan(capsys, "cases", "human", str(file))
    assert result.status == 1
    assert f"{file}:11: HR.4.2.1 Bad" in result.out
    assert "refused: not-adjacent HR-4.1" in result.out
    assert "│▒▒▒▒" in result.out or "│▒" in result.out
    assert result.out.splitlines()[-1] == "1 passed, 1 failed"
    assert "HR.4.1.1" not in result.out


@pytest.mark.parametrize(
    ("only", "last"),
    [
        ("HR.4.1", "1 passed, 0 failed"),
        ("HR.4.1.1", "1 passed, 0 failed"),
        ("HR.4.2.", "0 passed, 1 failed"),
        ("HR.4", "1 passed, 1 failed"),
    ],
)
def test_only_some_are_run(
    capsys: pytest.CaptureFixture[str], file: Path, only: str, last: str
) -> None:
    result = openplan(capsys, "cases", "human", str(file), "--only", only)
    assert result.out.splitlines()[-1] == last
    assert result.status == int(last.endswith("1 failed"))


def test_a_part_of_a_number_is_not_another_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "my.case"
    path.write_text(f"{GOOD}{GOOD.replace('4.1.1', '4.11.1')}")
    result = openplan(capsys, "cases", "human", str(path), "--only", "HR.4.1")
    assert result.out == "1 passed, 0 failed\n"


def test_good_cases_can_be_drawn_too(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    result = openplan(capsys, "cases", "human", str(file), "--draw", "--only", "HR.4.1")
    assert result.out.startswith("HR.4.1.1 Good\n")
    assert "A hand" in result.out


def test_a_bad_file_is_named_by_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "my.case"
    path.write_text(f"{GOOD}jump A\n")
    result = openplan(capsys, "cases", "human", str(path))
    assert result.status == 2
    assert f"openplan: {path}:6: " in result.err


def test_a_number_used_in_two_files_is_a_fault(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = [tmp_path / "a.case", tmp_path / "b.case"]
    for path in files:
        path.write_text(GOOD)
    result = openplan(capsys, "cases", "human", *map(str, files))
    assert result.status == 2
    assert f"{files[1]}:1: HR.4.1.1 is also at {files[0]}:1" in result.err
