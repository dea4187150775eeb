"""Pictures and sounds from outside: told apart by content, cleaned, decoded at arm's length."""
