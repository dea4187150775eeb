"""Pictures and sounds that attempts name."""
