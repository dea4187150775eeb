"""PostgreSQL: the engine, transactions, column types and the one `MetaData`."""
