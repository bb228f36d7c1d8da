"""One command, `openplan`."""
