"""Python client, sync and async: each call is defined once, and two thin faces carry it out."""
