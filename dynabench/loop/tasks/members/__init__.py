"""Who has which role in a task, and the links that give one."""
