"""Who fooled what: annotators against models and contexts."""
