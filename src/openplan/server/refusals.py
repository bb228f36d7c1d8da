"""What the server refuses, in every language."""

from __future__ import annotations

from typing import Final

from openplan.core.sentences import Sentences

SENTENCES: Final = Sentences.of("core", "server")
refused: Final = SENTENCES.refused
