"""What is told of an attempt, and to whom."""
