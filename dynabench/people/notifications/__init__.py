"""What a person is told about."""
