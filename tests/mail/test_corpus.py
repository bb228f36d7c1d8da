"""Mails as programs send them: every one is read right, or refused at the line that is wrong."""

from pathlib import Path

import pytest

from tests.mail.build_corpus import FOLDER, mails
from tests.mail.understanding import understood

FILES = sorted(FOLDER.glob("*.eml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_a_mail_says_is_understood(file: Path) -> None:
    label = file.with_suffix(".txt").read_text("utf-8").splitlines()
    assert understood(file.read_bytes()) == label


def test_the_corpus_is_what_its_builder_makes() -> None:
    made = {name: (raw, label) for name, raw, label in mails()}
    assert len(made) >= 300
    assert {file.stem for file in FILES} == set(made)
    for file in FILES:
        raw, label = made[file.stem]
        assert file.read_bytes() == raw, file.name
        assert file.with_suffix(".txt").read_text("utf-8").splitlines() == label, file.name
