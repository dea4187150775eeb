"""Models as one person sees them."""
