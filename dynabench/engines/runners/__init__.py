"""Runners: from what a builder hands in to a folder that a worker can run."""
