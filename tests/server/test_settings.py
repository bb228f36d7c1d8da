from __future__ import annotations

from pathlib import Path

import pytest

from openplan.server.settings import SettingsError, load_secret, read_settings


def test_the_environment_wins_over_the_file_and_what_is_given_over_both(tmp_path: Path) -> None:
    file = tmp_path / "openplan.toml"
    file.write_text('port = 1\nhost = "0.0.0.0"\nsecure = true\norigins = ["https://a.example"]\n')
    settings = read_settings({"OPENPLAN_PORT": "2", "OPENPLAN_SECURE": "no"}, file, host="::1")
    assert (settings.port, settings.host, settings.secure) == (2, "::1", False)
    assert settings.origins == ("https://a.example",)
    assert read_settings({"OPENPLAN_PLAIN": "1", "PORT": "3"}) == read_settings({})
    assert read_settings({}).store_url == "sqlite:///data/openplan.sqlite"


@pytest.mark.parametrize(
    ("environment", "text"),
    [
        ({"OPENPLAN_PORT": "many"}, ""),
        ({"OPENPLAN_SECURE": "perhaps"}, ""),
        ({"OPENPLAN_ORIGIN": "https://games.example"}, ""),
        ({}, "prot = 1"),
        ({}, "port = ["),
    ],
)
def test_what_cannot_be_understood_is_named(
    environment: dict[str, str], text: str, tmp_path: Path
) -> None:
    file = tmp_path / "openplan.toml"
    file.write_text(text)
    with pytest.raises(SettingsError):
        read_settings(environment, file)


def test_the_secret_is_made_once_and_private(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    secret = load_secret(folder)
    assert load_secret(folder) == secret
    assert (folder / "secret").stat().st_mode & 0o777 == 0o600
    (folder / "secret").write_bytes(b"short")
    with pytest.raises(SettingsError, match="32 bytes"):
        load_secret(folder)
