"""A period of collection against fixed target models."""
