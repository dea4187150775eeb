"""Plain functions on other cores."""
