"""Which bytes of a file a `Range` header asks for."""

import re

_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")


def requested_range(header: str | None, *, size: int) -> tuple[int, int] | None:
    """Return which bytes a `Range` header means: from, up to but without.

    What is no single range of bytes means the whole file, as RFC 9110 lets a server choose.

    Returns:
        None if the range lies outside the file.

    Example:
        >>> requested_range("bytes=0-99", size=1000), requested_range("bytes=-100", size=1000)
        ((0, 100), (900, 1000))
    """
    found = _RANGE.fullmatch(header or "")
    first, last = found.groups() if found else ("", "")
    if not first and not last:
        return 0, size
    if not first:
        length = min(int(last), size)
        return (size - length, size) if length else None
    start, end = int(first), min(int(last), size - 1) + 1 if last else size
    if last and int(last) < int(first):
        return 0, size
    return (start, end) if start < size else None
