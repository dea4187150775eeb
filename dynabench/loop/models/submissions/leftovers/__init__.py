"""Leftovers: stored files that a model no longer needs."""
