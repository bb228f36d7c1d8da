"""Time as the server counts it: microseconds since 1970, and the two clocks that tell it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

Now = Callable[[], int]


def wall() -> int:
    return time.time_ns() // 1000


def steady() -> int:
    """A clock that nobody sets, and that stands still while the machine sleeps."""
    return time.monotonic_ns() // 1000
