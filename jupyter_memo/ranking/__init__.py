"""Pure ranking: the same candidates and context always give the same list."""
