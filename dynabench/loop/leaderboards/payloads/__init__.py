"""Figures as bytes, as they lie in the database."""
