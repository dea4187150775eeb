"""The file itself: a zip of a manifest, of parts with a row a line, and of stored files."""
