"""Playing with a target without an account; nothing is stored."""
