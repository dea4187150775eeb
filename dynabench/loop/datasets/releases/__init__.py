"""From a closed round to a dataset: what is let in, which split it goes to, the card."""
