"""Variants that owners bring in a file of their own."""
