"""The models that could be the next round's target."""
