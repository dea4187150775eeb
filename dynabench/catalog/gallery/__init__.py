"""Tasks that an administrator can add, one folder each (`docs/how-to/add-a-gallery-task.md`)."""
