"""What changed texts say of a model: robustness and fairness."""
