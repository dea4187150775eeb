"""Releasing replayed rounds, as rounds that were collected here are."""
