"""What a trained model says of where it comes from: its source, and its card made from that."""
