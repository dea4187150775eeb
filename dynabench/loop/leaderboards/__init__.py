"""Ranking models over rounds."""
