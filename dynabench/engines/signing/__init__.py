"""Signed documents: an installation's key, and what anybody can check without it."""
