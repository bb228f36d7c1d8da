"""Sends what is queued for browsers and other programs: pushes, hooks, and the daily news."""
