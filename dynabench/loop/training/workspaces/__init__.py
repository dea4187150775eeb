"""The folders that trainings work in, kept while somebody may go on with them."""
