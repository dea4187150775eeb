"""Tools without a word of the domain: settings, database, errors, ids, clock, paging, web."""
