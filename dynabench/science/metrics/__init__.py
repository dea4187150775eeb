"""One module per performance metric."""
