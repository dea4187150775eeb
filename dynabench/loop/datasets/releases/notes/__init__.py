"""What a release could not have, in sentences."""
