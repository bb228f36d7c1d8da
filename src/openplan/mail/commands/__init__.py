"""From lines to deeds: the commands, their grammar, and the judge."""
