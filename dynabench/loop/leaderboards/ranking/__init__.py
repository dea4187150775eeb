"""From figures and weights to an order with its doubts."""
