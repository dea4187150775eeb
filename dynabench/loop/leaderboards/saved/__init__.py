"""Boards that somebody saved: forks and snapshots."""
