"""What of figures no weights change, made once and kept in memory."""
