"""Making the file: from rows to an archive in the store."""
