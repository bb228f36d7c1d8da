"""The drawings of this game, one file each; the page reads the same files."""

from typing import Final

from openplan.core.drawings import Parts

PARTS: Final = Parts(__name__)
