"""Who gets which context next."""
