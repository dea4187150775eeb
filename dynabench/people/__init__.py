"""Users, sessions, API tokens, invitations."""
