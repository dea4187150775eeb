"""Counts folded out of the outcome rows: per annotator and day, and per context."""
