"""Where files lie in an archive, and the lines that list them."""

from typing import cast

from pydantic import JsonValue

from dynabench.kit.canonical_json import canonical_json
from dynabench.loop.datasets.archives.media.values import PlacedFile
from dynabench.loop.media.rules import file_name

LIST = "media.jsonl"
FOLDER = "media"


def place_of(digest: str, media_type: str, *, are_included: bool) -> PlacedFile:
    """Return where a file is."""
    path = f"{FOLDER}/{file_name(digest, media_type)}" if are_included else None
    return PlacedFile(digest=digest, media_type=media_type, path=path)


def line_of(file: PlacedFile, *, size_bytes: int) -> bytes:
    """Return what the list says of a file, as canonical JSON."""
    line = {
        "digest": file.digest,
        "media_type": file.media_type,
        "path": file.path,
        "size_bytes": size_bytes,
    }
    # Texts and a number are JSON.
    return canonical_json(cast("dict[str, JsonValue]", line)) + b"\n"
