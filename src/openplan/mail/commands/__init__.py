"""From lines to what is done: the commands, their grammar, and the judge."""
