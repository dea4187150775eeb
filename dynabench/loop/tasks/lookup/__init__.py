"""What the chapters above ask about tasks, answered from memory where it can be."""
