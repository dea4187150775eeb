"""A whole task as one file: written here, read into another installation, nothing lost."""
