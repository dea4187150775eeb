"""A question put to models: config versions, owners, settings."""
