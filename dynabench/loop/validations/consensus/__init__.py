"""Labels from votes where validators differ in how reliable they are, for owners."""
