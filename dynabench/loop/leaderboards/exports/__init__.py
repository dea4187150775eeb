"""A board as a file."""
