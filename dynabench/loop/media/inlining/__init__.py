"""Files on their way to a model: their bytes beside their names."""
