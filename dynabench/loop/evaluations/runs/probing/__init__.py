"""Noticing that a model elsewhere is another one now."""
