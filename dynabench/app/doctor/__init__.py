"""What `dynabench doctor` looks at: the machine, the settings, the database."""
