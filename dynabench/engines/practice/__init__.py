"""Practice assistants: small, deterministic models to talk with, in the package or as a server."""
