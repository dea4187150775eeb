"""An item's values as columns of a table."""
