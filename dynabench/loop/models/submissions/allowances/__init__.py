"""What a person may still submit to a task today."""
