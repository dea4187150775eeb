"""One number of many metrics: exchanged into points of performance, and how fragile that is."""
