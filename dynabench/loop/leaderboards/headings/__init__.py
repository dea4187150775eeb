"""The columns of a board with their weights, and what a reader must know of it."""
