"""Dialogues of the practice assistants, one line each: what is asked, and what is replied."""
