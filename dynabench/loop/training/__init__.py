"""Recipes that turn datasets into the next model."""
