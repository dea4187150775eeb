"""Removals: what is gone with a model that is deleted."""
