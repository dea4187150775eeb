"""Cells of tables, which are all text, as values of fields."""
