"""What a model answered, item by item: the error browser."""
