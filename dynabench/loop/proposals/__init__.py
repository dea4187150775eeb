"""Tasks that somebody proposes and an administrator decides about."""
