"""Adding up what items scored, shard by shard."""
