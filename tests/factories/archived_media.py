"""Pictures and sounds that items name, put straight into a store and its table."""

from dataclasses import dataclass, replace

from dynabench.engines.storage.store import BlobStore
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.wire import Values
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.loop.media.repository import MediaRepository
from dynabench.loop.media.rules import kind_of_type
from dynabench.loop.media.values import MediaFile
from tests.factories.datasets import make_item

CONFIG = """\
title: Seen and heard
context:
  - {name: picture, type: image}
  - {name: passage, type: string}
input:
  - {name: clip, type: audio}
  - {name: places, type: spans, reference_name: passage, labels: [who, where]}
  - {name: label, type: multiclass, labels: [x, y]}
output: [{name: places}, {name: label}]
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: accuracy, reference_name: label}
"""


@dataclass(frozen=True)
class Shelf:
    """Where a test puts files."""

    db: Database
    clock: Clock
    blobs: BlobStore

    async def put(self, content: bytes, media_type: str) -> str:
        """Keep a file as an upload does; nobody looks whether it is what it is said to be."""
        file = MediaFile(
            digest=self.blobs.put(content),
            kind=kind_of_type(media_type),
            media_type=media_type,
            size_bytes=len(content),
        )
        async with self.db.transaction() as session:
            repository = MediaRepository(session)
            await repository.add(file, source_url=None, created_by=None, now=self.clock.now())
        return file.digest


def seen_item(
    number: int, *, picture: str, clip: str, split: Split = Split.TRAIN, alt: str = ""
) -> DatasetItem:
    """Make an item of a task that has pictures and sounds."""
    context: Values = {"picture": {"media": picture, "alt": alt}, "passage": "Ada went home."}
    place: Values = {"text": "Ada", "start": 0, "end": 3, "label": "who"}
    return replace(
        make_item(number, split=split),
        context=context,
        inputs={"clip": {"media": clip}},
        gold={"places": [place] if number % 2 else [], "label": "x"},
    )
