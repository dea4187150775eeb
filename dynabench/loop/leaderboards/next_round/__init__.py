"""What a task's owner may go by when planning its next round."""
