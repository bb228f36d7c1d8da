"""Slow second readings of the rules, sharing no code with the engine, to compare it with."""
