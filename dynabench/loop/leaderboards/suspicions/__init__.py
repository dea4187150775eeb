"""Released examples whose gold answer may be wrong, for experts to look at."""
