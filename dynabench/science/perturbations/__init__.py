"""Text changes that should not change the right answer: robustness and fairness."""
