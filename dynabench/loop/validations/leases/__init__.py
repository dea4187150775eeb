"""Leases of examples to judge that have run out."""
