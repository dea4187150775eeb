"""Normalising texts and telling near-duplicates."""
