"""Does retraining help? Rounds of collection played from real data, against a random control."""
