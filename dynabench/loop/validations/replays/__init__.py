"""Votes that were cast elsewhere."""
