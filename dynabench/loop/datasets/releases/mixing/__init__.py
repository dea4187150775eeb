"""What stands in dev and test beside what fooled, and what earlier releases leave free."""
