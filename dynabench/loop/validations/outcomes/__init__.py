"""One outcome row per example: gold, fooled and verdict, derived from its votes."""
