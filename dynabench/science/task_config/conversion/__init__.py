"""Translates configs of the original platform's other shapes into the one that is read here."""
