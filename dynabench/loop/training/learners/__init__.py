"""Fitting a model in a process of its own, so that a server stays free and small."""
