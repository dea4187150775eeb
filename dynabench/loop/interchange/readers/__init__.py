"""Readers of published formats, one module each."""
