"""Sealed Tender, the example of a game."""
