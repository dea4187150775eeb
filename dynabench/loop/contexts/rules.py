"""Decisions about contexts: what counts as the same one, and their order by chance."""

import hashlib
from typing import cast

from pydantic import JsonValue

from dynabench.kit.canonical_json import canonical_json
from dynabench.kit.wire import Values

_SHUFFLE_BITS = 52


def content_digest(content: Values) -> bytes:
    """Return what is equal for equal contents: SHA-256 of the canonical JSON.

    Text counts as it stands: two spellings of a letter are two contexts.

    Example:
        >>> content_digest({"a": 1, "b": 2}) == content_digest({"b": 2, "a": 1})
        True
    """
    # Checked content is JSON, and canonical_json refuses what is not.
    return hashlib.sha256(canonical_json(cast("dict[str, JsonValue]", content))).digest()


def shuffle_key(digest: bytes) -> float:
    """Return a number from 0 up to, but not, 1 that puts contexts in an order nobody chose."""
    return (int.from_bytes(digest[:8], "big") >> (64 - _SHUFFLE_BITS)) / 2.0**_SHUFFLE_BITS
