"""Where the pictures and sounds of a dataset are, as a section of its page."""
