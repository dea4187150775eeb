"""What a board is computed from, made once per change of the data."""
