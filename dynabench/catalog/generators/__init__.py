"""Starter data that is drawn or played by code: pictures and sounds are not kept in the tree."""
