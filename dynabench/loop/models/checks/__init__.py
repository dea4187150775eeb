"""Checks: whether a handed-in model answers what the task asks, the same everywhere."""
