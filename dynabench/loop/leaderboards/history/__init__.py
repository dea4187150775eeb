"""Every model on every round and static set, then and now."""
