"""Learners that ship with the package."""
