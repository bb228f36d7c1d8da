"""`openplan deck`, and finding decks."""

from pathlib import Path

import pytest

from openplan.core.deck import DeckError
from openplan.core.registry import all_games, game_named
from openplan.decks import find_deck, load_deck, shipped
from tests.cli.command import openplan

GAME = game_named("human-resources")


def house_text() -> str:
    import openplan.decks

    folder = Path(openplan.decks.__file__).parent / GAME.name
    return (folder / "house.toml").read_text("utf-8")


@pytest.mark.parametrize("name", sorted(all_games()))
def test_every_game_ships_a_deck_without_faults(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    game = game_named(name)
    assert shipped(game)
    for deck in shipped(game):
        result = openplan(capsys, "deck", "check", name, deck)
        assert result.status == 0
        assert "no fault" in result.out


def test_every_fault_is_named_with_file_and_card(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    text = (
        house_text()
        .replace("value = 8", "value = 9")
        .replace('ability = "move"', 'ability = "fly"')
    )
    file.write_text(text, "utf-8")
    result = openplan(capsys, "deck", "check", "human", str(file))
    assert result.status == 1
    lines = result.out.splitlines()
    assert lines[-1] == "4 faults"
    assert [line.split(": ")[:2] for line in lines[:-1]] == [
        [str(file), card] for card in ("P05d", "P05l", "M01d", "M01l")
    ]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"\xff\xfe", "not UTF-8 text (line 1)"),
        (b"a = 1\n\nb = '\xff'", "not UTF-8 text (line 3)"),
        (b"#" * 70_000, "larger than 64 KB"),
        (b"not toml", "not readable as TOML"),
        (b"", "the field `format`"),
        (b"a = " + b"[" * 5000, "line 1 is longer"),
        (b"a" + b".a" * 20_000, "line 1 is longer"),
    ],
    ids=["bytes", "third line", "large", "words", "empty", "deep", "dotted"],
)
def test_a_file_that_is_no_deck_is_refused_in_a_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes, fault: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(content)
    result = openplan(capsys, "deck", "check", "human", str(file))
    assert result.status == 1
    assert result.out.startswith(f"{file}: {fault}")
    assert result.out.endswith("\n1 fault\n")


def test_a_folder_and_a_missing_file_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for path, reason in ((tmp_path, "is a directory"), (tmp_path / "x.toml", "no such file")):
        result = openplan(capsys, "deck", "check", "human", str(path))
        assert result.status == 1
        assert f"{path}: cannot be read: {reason}" in result.out


def test_a_path_with_odd_characters_stays_one_line() -> None:
    with pytest.raises(DeckError) as error:
        load_deck(GAME, "a\n\x1b[2J/b.toml")
    assert str(error.value).isprintable()
    with pytest.raises(DeckError, match="cannot be read"):
        load_deck(GAME, "a\0/b.toml")


def test_a_deck_saved_with_a_byte_order_mark_and_windows_line_ends_is_the_same(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xef\xbb\xbf" + house_text().replace("\n", "\r\n").encode())
    assert load_deck(GAME, file).hash == load_deck(GAME).hash


def test_a_shipped_deck_is_found_by_its_content() -> None:
    deck = load_deck(GAME)
    assert find_deck(GAME, "another name", deck.hash) == deck
    with pytest.raises(DeckError, match=r"mine: no deck .* has the hash 0000.*--deck FILE"):
        find_deck(GAME, "mine", "0" * 64)


def test_a_template_needs_only_to_be_filled_in(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    result = openplan(capsys, "deck", "new", "human")
    assert result.status == 0
    file = tmp_path / "new.toml"
    file.write_text(result.out, "utf-8")
    check = openplan(capsys, "deck", "check", "human", str(file))
    faults = check.out.splitlines()[:-1]
    assert faults
    assert all("pattern" in fault for fault in faults), check.out


def test_a_whole_deck_is_shown_in_rows_within_80_columns(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = openplan(capsys, "deck", "show", "human").out
    assert max(len(line) for line in out.splitlines()) <= 80
    for card in load_deck(GAME).cards:
        assert out.count(f"┌{card}─") == 1
