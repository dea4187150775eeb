"""What came of a task's rounds so far."""
