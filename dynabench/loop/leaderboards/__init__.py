"""Ranking models: by which of their replies people chose."""
