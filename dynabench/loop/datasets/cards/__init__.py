"""What is said about a release: counts, rates, exclusions, licence, canary."""
