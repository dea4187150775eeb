"""Whether what an imported task derives is what its rows add up to."""
