"""Changes of who a text is about: names, genders, groups."""
