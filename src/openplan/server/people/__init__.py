"""Who somebody is, and what belongs to them: accounts, signing in, blocks, complaints, ratings."""
