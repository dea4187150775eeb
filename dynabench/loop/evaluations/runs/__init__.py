"""Running one model over one dataset version, shard by shard."""
