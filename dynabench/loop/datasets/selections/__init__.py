"""Some of a split's items: verified ones, fooling ones, those of no control arm."""
