"""The columns of a board, and the weights that a reader gives them."""
