"""The experts' queue: browse, decide, void, export."""
