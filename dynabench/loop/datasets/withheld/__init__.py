"""Texts of released test sets whose answers are withheld: no model answers what is like them."""
