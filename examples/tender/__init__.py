"""Sealed Tender, three players: see `rules.py`."""
