"""Which format a file has, by its name."""

from dynabench.engines.row_files.values import RowFormat


def format_of(file_name: str) -> RowFormat | None:
    """Return the format that a file's name tells, None where it tells none.

    Example:
        >>> format_of("test.TSV"), format_of("items.jsonl.gz")
        (<RowFormat.CSV: 'csv'>, None)
    """
    ending = file_name.lower().rpartition(".")[2]
    if ending in {"jsonl", "ndjson"}:
        return RowFormat.JSONL
    if ending in {"csv", "tsv"}:
        return RowFormat.CSV
    return RowFormat.PARQUET if ending in {"parquet", "pq"} else None
