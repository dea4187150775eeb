"""The field types of a task config: one module each, listed in `registry`."""
