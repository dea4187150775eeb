"""Measures the running product against the figures that were promised; see docs/benchmarks."""
