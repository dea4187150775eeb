"""Pure code, no I/O: task configs, metrics, statistics, perturbations, texts."""
