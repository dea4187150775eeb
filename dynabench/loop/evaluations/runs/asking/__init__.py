"""Asking a very large number of items."""
