"""Files that owners sent for a task, before and while they become its datasets."""
