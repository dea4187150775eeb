"""A round's control arms beside its targets: what comes of each."""
