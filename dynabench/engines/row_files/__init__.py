"""Files of rows that people bring: JSON lines, CSV and Parquet, read a batch at a time."""
