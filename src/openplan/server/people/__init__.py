"""Who somebody is, and what belongs to them: accounts, signing in, preferences, blocks, ratings."""
