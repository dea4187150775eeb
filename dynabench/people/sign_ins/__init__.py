"""Signing in and out, making an account, changing a password."""
