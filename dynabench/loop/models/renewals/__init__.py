"""New versions of models elsewhere that answer otherwise than before."""
