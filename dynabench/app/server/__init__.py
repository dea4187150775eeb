"""The web server: factory, sign-in, problem responses, the built page."""
