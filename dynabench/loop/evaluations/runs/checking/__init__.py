"""Checking very many answers against a task's config."""
