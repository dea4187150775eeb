"""Finds contexts that are released for training already."""
