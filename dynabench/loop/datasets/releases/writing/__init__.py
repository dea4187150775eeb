"""From what is planned to the items, in the order in which they are stored."""
