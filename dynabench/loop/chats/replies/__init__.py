"""Asking candidates for their replies."""
