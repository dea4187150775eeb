"""Content-addressed files: a folder today, S3-compatible storage next."""
