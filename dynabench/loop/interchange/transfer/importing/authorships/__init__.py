"""Whose work a copy may say that its rows are."""
