"""Tasks of the catalogue, made playable: config, contexts, models and an open round."""
