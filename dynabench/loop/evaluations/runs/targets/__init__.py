"""From an evaluation to the source of its answers."""
