"""The task YAML: its schema, its field types, when a model counts as fooled."""
