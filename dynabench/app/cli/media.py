"""Pictures and sounds beside an export: each file once, called by its digest."""

import json
from pathlib import Path

from dynabench.client.client import DynabenchClient
from dynabench.loop.media.rules import file_name, stored_digests


def save_media(client: DynabenchClient, lines: Path, *, folder: Path) -> int:
    """Write every file that the lines name into a folder; those there already are kept.

    Returns:
        How many files the lines name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    digests: dict[str, None] = {}
    with lines.open(encoding="utf-8") as rows:
        for row in rows:
            digests |= dict.fromkeys(stored_digests(json.loads(row)))
    for digest in digests:
        if any(folder.glob(f"{digest}.*")):
            continue
        media_type = client.media.get(digest).media_type
        client.media.download(digest, folder / file_name(digest, media_type))
    return len(digests)
