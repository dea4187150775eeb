"""What other packages ask about people: names by id, ids by name, pseudonyms."""
