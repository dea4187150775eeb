"""When rounds take examples, and what closes them when their time has come."""
