"""Asking many copies of one model at once, on the machines of a cluster."""
