"""Rows of a board as they go over the wire."""
