"""Reading very many items of a version quickly."""
