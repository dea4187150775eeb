"""Files that values name: fetched where they lie elsewhere, and held against their fields."""
