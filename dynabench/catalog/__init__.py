"""Core and gallery tasks, starter contexts and training sets, and the code that draws some."""
