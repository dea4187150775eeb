"""The job of removals."""

REMOVE_MODEL = "models.remove"
"""The job that takes away what a deleted model left: `{"model_id": …, "digests": […]}`."""
