"""Which move is good, from a view."""
