"""What generators make: lines of data files, and files as a model is sent them."""

import base64
import hashlib
from typing import TypedDict


class ContextLine(TypedDict):
    """A line of `contexts.jsonl`."""

    context: dict[str, object]
    tag: str
    metadata: dict[str, str]


class ItemLine(TypedDict):
    """A line of `train.jsonl`."""

    uid: str
    context: dict[str, object]
    inputs: dict[str, object]
    answer: dict[str, object]


def file_value(content: bytes, media_type: str, **rest: str) -> dict[str, object]:
    """Return a file with its digest, its type and its bytes in base64."""
    return {
        "media": hashlib.sha256(content).hexdigest(),
        "media_type": media_type,
        "data": base64.b64encode(content).decode("ascii"),
        **rest,
    }
