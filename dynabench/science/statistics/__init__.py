"""Intervals, agreement and tests that stand beside every number."""
