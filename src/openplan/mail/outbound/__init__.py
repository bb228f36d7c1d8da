"""From what was done to letters: what they say, how they look, how they leave."""
