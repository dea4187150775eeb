"""Machinery with I/O: target models, durable jobs, stored files."""
