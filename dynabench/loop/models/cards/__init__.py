"""Model cards: what the authors of a model say of it."""
