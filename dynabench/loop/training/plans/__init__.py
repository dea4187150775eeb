"""What a training would learn from, told before it is asked for."""
