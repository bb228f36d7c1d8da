"""The server: tables, seats, clocks, live views. Nothing is acknowledged before it is durable.

Its rooms, from the ground up; each knows those before it and none after it (`pyproject.toml`):

- `errors`, `refusals`, `settings`, `logs`, `clock`, `texts`: what all of them use
- `store`: where everything is kept
- `notify`: what is queued for somebody
- `people`: who somebody is
- `tables`: tables and their matches
- `site`: what all that serves shares
- `mailing` and `http`: the two ways in, which do not know each other
- `ops`: the running site, and what its operator does
"""
