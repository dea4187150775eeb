"""Attempts that were made elsewhere."""
