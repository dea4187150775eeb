"""Writing a task into a file."""
