"""Where the answers of an evaluation come from."""
