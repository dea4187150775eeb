"""Prediction files: what a model answered elsewhere, one file for each dataset version."""
