"""Human Resources, a game by Nat Levan for two players."""
