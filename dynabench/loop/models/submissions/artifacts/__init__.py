"""The files that models are handed in as."""
