"""The pictures and sounds that a version's items name."""
