"""Conversations with a round's models, turn by turn."""
