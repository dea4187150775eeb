"""Judges: models that say whether an answer breaks a rubric."""
