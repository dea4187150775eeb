"""Bringing together what a model is trained on: starter data and train splits, page by page."""
