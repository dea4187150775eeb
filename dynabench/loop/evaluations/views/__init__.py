"""Evaluations as people see them."""
