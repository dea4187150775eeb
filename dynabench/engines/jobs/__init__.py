"""Durable jobs and the outbox; the only importer of the job engine."""
