"""The core tasks: config, starter contexts, training set and demo texts each."""
