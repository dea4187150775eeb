"""What the inputs alone give away: a model that never sees the context, beside the majority."""
