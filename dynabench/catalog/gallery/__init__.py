"""Tasks that an administrator can add: one folder each, as `docs/how-to/add-a-gallery-task.md` says."""
