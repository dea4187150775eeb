"""Reading a round for a release: everything that is decided and counted, nothing that is said."""
