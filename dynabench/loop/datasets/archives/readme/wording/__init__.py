"""Sentences and tables of a card."""
