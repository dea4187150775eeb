"""Learners that ship with the package: a text classifier and an extractive reader."""
