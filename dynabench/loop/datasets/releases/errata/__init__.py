"""What a release says of the errors in those before it."""
