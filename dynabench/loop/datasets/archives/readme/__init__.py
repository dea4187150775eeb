"""The card of a dataset for people, in Markdown."""
