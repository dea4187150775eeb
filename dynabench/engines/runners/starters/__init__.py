"""Starters: the files of a model that already answers one task, for its builder to change."""
