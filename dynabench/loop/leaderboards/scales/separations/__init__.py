"""How well each set tells models apart, and whether the others agree."""
