"""Trials: what a model answers to an input that is made from the task's fields."""
