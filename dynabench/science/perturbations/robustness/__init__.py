"""Changes as people, keyboards and scanners make them."""
