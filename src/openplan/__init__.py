"""Open Plan: the office games, on one rules engine."""

from openplan import compiled

__version__ = "0.1.0"

compiled.install()
