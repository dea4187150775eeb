"""The services of one process, put together chapter by chapter."""
