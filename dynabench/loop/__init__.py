"""The story, in the order it happens; one folder is one noun."""
