"""The passage or prompt an annotator writes about."""
