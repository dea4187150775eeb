"""What a replay tells of each round."""
