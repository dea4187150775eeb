"""How fast and how large a model is."""
