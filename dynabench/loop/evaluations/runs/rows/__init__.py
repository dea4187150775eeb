"""Predictions on their way into the database."""
