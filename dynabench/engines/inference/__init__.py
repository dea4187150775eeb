"""Target models: the protocol, the host of worker processes, the adapters."""
