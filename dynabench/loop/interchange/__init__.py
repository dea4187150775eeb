"""Replay of collections made elsewhere."""
