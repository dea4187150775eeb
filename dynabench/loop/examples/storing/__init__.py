"""Storing an answered attempt: once, within its limits, and unlike what is there."""
