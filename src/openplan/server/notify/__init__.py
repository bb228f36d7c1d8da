"""What is queued for somebody. Queued only: `mailing` writes and sends it."""
