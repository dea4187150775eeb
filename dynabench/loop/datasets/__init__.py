"""Frozen, versioned sets with splits; releases."""
