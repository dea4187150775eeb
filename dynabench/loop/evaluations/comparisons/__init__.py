"""Two models on the same items: how far apart, and where they differ."""
