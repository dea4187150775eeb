"""The plan as it goes over the wire."""
