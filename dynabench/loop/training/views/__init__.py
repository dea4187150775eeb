"""Recipes and trainings as people see them."""
