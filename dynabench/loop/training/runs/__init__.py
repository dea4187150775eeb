"""Doing what was ordered: gather, learn, look at the result, submit it."""
