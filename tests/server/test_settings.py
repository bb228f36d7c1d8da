from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from openplan.server.http.rate_limits import EVERYWHERE
from openplan.server.settings import Settings, SettingsError, load_secret, read_settings
from tests.server.running import running

DOCS = Path(__file__).parents[2] / "docs"


def test_every_setting_is_documented_and_no_other() -> None:
    cells = [
        line.split("|")[1]
        for page in ("server", "mail")
        for table in re.findall(
            r"^\| setting \|.*\n(?:\|.*\n)+", (DOCS / f"{page}.md").read_text("utf-8"), re.MULTILINE
        )
        for line in table.splitlines()[2:]
    ]
    told = {name for cell in cells for name in re.findall(r"`([a-z_]+)`", cell)}
    assert told == {field.name for field in fields(Settings)}


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
        ({"OPENPLAN_PORT": "65536"}, ""),
        ({"OPENPLAN_LMTP_PORT": "-1"}, ""),
        ({"OPENPLAN_BOT_PROCESSES": "0"}, ""),
        ({"OPENPLAN_BOT_SECONDS": "nan"}, ""),
        ({"OPENPLAN_LOG_LEVEL": "loud"}, ""),
        ({"OPENPLAN_METRICS_TOKEN": "short"}, ""),
        ({"OPENPLAN_SMTP_SECURITY": "ssl"}, ""),
        ({"OPENPLAN_MAIL_ADDRESS": "games.example"}, ""),
        ({"OPENPLAN_MAIL_ADDRESS": "a+b@games.example"}, ""),
        ({"OPENPLAN_ORIGINS": "https://games.example/"}, ""),
        ({"OPENPLAN_ORIGINS": "https://games.example games.example"}, ""),
        ({"OPENPLAN_DATABASE": "mysql://games.example"}, ""),
        ({"OPENPLAN_DATABASE": "sqlite:///"}, ""),
        ({}, "port = true"),
        ({}, "port = 80.5"),
        ({}, "host = 3"),
        ({}, "data = 3"),
        ({}, "origins = 3"),
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
    with pytest.raises(SettingsError) as refused:
        read_settings(environment, file)
    said = str(refused.value)
    named = [name.removeprefix("OPENPLAN_").lower() for name in environment]
    assert any(repr(name) in said for name in (*named, text.partition(" ")[0])) or str(file) in said


def test_a_password_is_not_repeated() -> None:
    with pytest.raises(SettingsError, match="database") as refused:
        read_settings({"OPENPLAN_DATABASE": "postgres+x://ann:geheim@db.example/games"})
    assert "geheim" not in str(refused.value)


def test_the_secret_is_made_once_and_private(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    secret = load_secret(folder)
    assert load_secret(folder) == secret
    assert (folder / "secret").stat().st_mode & 0o777 == 0o600
    (folder / "secret").write_bytes(b"short")
    with pytest.raises(SettingsError, match="32 bytes"):
        load_secret(folder)


@pytest.mark.parametrize(("proxies", "refused"), [((), True), (("127.0.0.1",), False)])
def test_only_named_proxies_are_believed(
    tmp_path: Path, proxies: tuple[str, ...], refused: bool
) -> None:
    """Else whoever asks could choose the address at which they are counted."""
    with running(tmp_path, limits=True, proxies=proxies) as server:
        answers = {
            server.client()
            .ask(
                "POST",
                "/api/session",
                {"name": "Ann"},
                headers={"X-Forwarded-For": f"203.0.113.{number}"},
            )
            .status_code
            for number in range(EVERYWHERE["sign-up"] + 5)
        }
    assert (429 in answers) is refused


def test_the_data_folder_is_closed_to_others_and_no_other_folder_is(tmp_path: Path) -> None:
    data, shared, wrong = (tmp_path / name for name in ("data", "shared", "wrong"))
    data.mkdir(0o755)
    load_secret(data)
    assert data.stat().st_mode & 0o777 == 0o700
    shared.mkdir()
    shared.chmod(0o1777)
    load_secret(shared)
    assert shared.stat().st_mode & 0o7777 == 0o1777
    # Where nothing can be kept, nothing is touched.
    wrong.mkdir(0o755)
    (wrong / "secret").mkdir()
    with pytest.raises(SettingsError):
        load_secret(wrong)
    assert wrong.stat().st_mode & 0o777 == 0o755
