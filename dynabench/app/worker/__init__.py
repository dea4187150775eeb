"""The process that runs durable jobs."""
