"""Tables and their matches: options, seats, moves, time, absence, masters, what is shown."""
