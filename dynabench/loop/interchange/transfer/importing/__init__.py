"""Reading a task from a file: looked over first, then written in one transaction."""
