"""Croissant: what a dataset is, for programs and search engines."""
