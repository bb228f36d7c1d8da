"""PBM Cube Farm, three players: see `rules.py`."""
