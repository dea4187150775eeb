"""Running one model over one split; scores per metric."""
