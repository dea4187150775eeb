"""Results that carry a signature, so that they can be checked without the server."""
