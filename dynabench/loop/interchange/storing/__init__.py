"""Writes the records of a collection, a batch in one transaction."""
