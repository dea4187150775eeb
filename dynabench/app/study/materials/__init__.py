"""The published collections that a study is made of, read from their files."""
