"""Checking an uploaded file row by row, and storing it."""
