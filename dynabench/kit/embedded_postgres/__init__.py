"""A PostgreSQL server that starts with the product and keeps its data in `home`."""
