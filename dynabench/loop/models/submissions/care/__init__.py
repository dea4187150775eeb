"""Care of submitted models: publish, withdraw, check again, delete."""
