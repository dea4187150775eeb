"""How people do on a release, from the votes of its validators."""
