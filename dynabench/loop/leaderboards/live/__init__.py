"""The numbers of a round while it runs, computed from its rows and streamed to who watches."""
