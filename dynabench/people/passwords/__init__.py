"""Passwords: hashing them slowly, away from the event loop."""
