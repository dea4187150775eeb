"""Other views of a board: per tag, per round, one metric against another."""
