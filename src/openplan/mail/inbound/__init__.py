"""From a mail's bytes to the lines that somebody wrote for us."""
