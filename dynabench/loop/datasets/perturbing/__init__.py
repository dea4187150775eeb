"""Sets whose texts were changed in a way that should not matter: made, shown, brought."""
