"""Datasets that people bring as files."""
