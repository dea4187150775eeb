"""MER, vMER, boards and agreement, from counts folded out of the rows."""
