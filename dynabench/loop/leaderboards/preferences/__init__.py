"""Models by which of their replies people chose."""
