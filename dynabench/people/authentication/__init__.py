"""Who sent a request: from the secret of a session or an API token to an actor."""
