"""Models that answer somewhere else: what their options say."""
