"""Models and rounds of a task on one scale, and how well each round tells models apart."""
