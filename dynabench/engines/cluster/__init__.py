"""Work that is spread over the machines of a cluster."""
