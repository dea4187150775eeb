"""Boards as they are now, before they go over the wire."""
