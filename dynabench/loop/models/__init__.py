"""Submitted models and how to reach them."""
