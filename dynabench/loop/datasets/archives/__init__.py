"""A dataset version as one file: rows in two formats, their card, metadata for programs."""
