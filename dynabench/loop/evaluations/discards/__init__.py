"""Datasets that are taken away: uploads that nothing was made of, and variants."""
