"""Asking a round's target models, and deciding whether they were fooled."""
