"""The programs: server, worker, command line, demo."""
