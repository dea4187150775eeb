"""Telling of a new version: models are scored on it, and it is varied."""
