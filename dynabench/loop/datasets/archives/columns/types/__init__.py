"""What the columns of a table hold, by the types of a task's fields."""
