"""The work of a perturbing job."""
