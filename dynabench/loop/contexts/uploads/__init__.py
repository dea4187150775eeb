"""Files of contexts, one JSON object a line."""
