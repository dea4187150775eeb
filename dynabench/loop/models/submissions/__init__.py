"""Submissions: what builders hand in, from the first word to a model that is ready."""
