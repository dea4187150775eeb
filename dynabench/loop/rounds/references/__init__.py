"""The models and earlier rounds that an owner names for a round."""
