"""What annotators wrote, what the targets answered, whether they were fooled."""
