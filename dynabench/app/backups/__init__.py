"""Keeping an installation: its database, its files and its keys in one folder, and back."""
