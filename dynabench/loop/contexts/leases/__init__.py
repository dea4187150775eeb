"""Leases of contexts that have run out."""
