"""Dynamic adversarial benchmarking that anyone can run."""
