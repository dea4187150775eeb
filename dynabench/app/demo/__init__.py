"""The whole loop, played through the public API."""
