"""What a card counts, as sections of the page."""
