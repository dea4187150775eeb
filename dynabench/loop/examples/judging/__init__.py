"""Rubrics: the judge's word on each answer, and the author's on top of it."""
