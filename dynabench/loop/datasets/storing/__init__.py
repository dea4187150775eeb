"""Writing a version of any size, whole or not at all."""
