"""Inspections: checking what was handed in, by a durable job."""
