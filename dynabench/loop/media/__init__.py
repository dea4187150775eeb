"""Pictures and sounds that fields hold: stored once, checked by their content."""
