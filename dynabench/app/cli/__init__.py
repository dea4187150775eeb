"""The command line: the Python client's verbs, and the operator's."""
