"""Data only: core tasks, starter contexts and training sets."""
