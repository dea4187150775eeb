"""Rows that say what another row of the file says."""
