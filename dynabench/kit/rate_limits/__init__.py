"""How often something may be done: counted once for all server processes, in the database."""
