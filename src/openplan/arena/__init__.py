"""Bots against bots: which is better, by how much, and how sure that is."""
