"""The graph of a task's rounds: what each grew out of and was written against."""
