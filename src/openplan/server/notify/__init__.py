"""What is queued for somebody, and what they want to be told of. `mailing` writes and sends it."""
