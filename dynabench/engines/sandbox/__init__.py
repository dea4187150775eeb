"""Running somebody else's code: what isolates it, what it may use, how its files are unpacked."""
