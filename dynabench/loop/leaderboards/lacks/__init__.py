"""What keeps a model from being ranked."""
