"""The gallery: tasks that the package brings and an administrator adds."""
