"""Pictures and sounds for tests, made on the spot, and the services that keep them."""

import io
from pathlib import Path

import numpy as np
import soundfile  # type: ignore[import-untyped]  # It has no types.
from PIL import Image

from dynabench.engines.media.fetching import MediaFetcher
from dynabench.engines.media.inspector import MediaInspector
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.clock import Clock, SystemClock
from dynabench.kit.db.database import Database
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.media.service import MediaService
from dynabench.loop.tasks.service import TaskService

TURNED = 0x0112
PLACE = 0x010E


def picture(
    kind: str = "PNG",
    *,
    size: tuple[int, int] = (60, 40),
    colour: tuple[int, int, int] = (200, 30, 30),
    exif: dict[int, object] | None = None,
    frames: int = 1,
) -> bytes:
    """Return a picture with a dark left half, so that turning it shows."""
    image = Image.new("RGB", size, colour)
    image.paste((10, 10, 10), (0, 0, size[0] // 2, size[1]))
    said = Image.Exif()
    for tag, value in (exif or {}).items():
        said[tag] = value
    options: dict[str, object] = {"exif": said} if exif else {}
    if frames > 1:
        others = [Image.new("RGB", size, (at % 256, at // 256, 0)) for at in range(1, frames)]
        options |= {"save_all": True, "append_images": others}
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def sound(kind: str = "WAV", *, seconds: float = 0.5, subtype: str | None = None) -> bytes:
    """Return a tone."""
    samples = np.sin(np.arange(int(16_000 * seconds)) / 12).astype("float32") / 2
    out = io.BytesIO()
    soundfile.write(out, samples, 16_000, format=kind, subtype=subtype)
    return out.getvalue()


def make_media_service(
    db: Database,
    clock: Clock | None = None,
    *,
    blobs: Path = Path("/nonexistent"),
    allowed_hosts: frozenset[str] = frozenset(),
) -> MediaService:
    """Put the service together; a test that stores something names the folder."""
    clock = clock or SystemClock()
    return MediaService(
        db=db,
        clock=clock,
        tasks=TaskService(db, clock),
        blobs=FolderBlobStore(blobs),
        inspector=MediaInspector(),
        fetcher=MediaFetcher(allowed_hosts=allowed_hosts, timeout_seconds=5),
    )


def make_media_resolver(db: Database, clock: Clock | None = None) -> MediaResolver:
    """Put the service together over a store in which nothing lies."""
    return MediaResolver(media=make_media_service(db, clock))
