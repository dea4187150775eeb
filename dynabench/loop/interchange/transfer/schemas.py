"""The manifest of a task's file."""

from typing import Annotated

from pydantic import Field

from dynabench.kit.wire import WireModel
from dynabench.loop.interchange.transfer.values import FORMAT

Count = Annotated[int, Field(ge=0)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class PartRead(WireModel):
    """A part of the file: its rows, and what it must hash to."""

    rows: Count
    bytes: Count
    sha256: Sha256


class TaskManifest(WireModel):
    """What a file holds; nothing in it depends on when it was written.

    Attributes:
        format: Always `dynabench-task`.
        format_version: In which form; a reader refuses one that it does not know.
        product_version: Which version of Dynabench wrote it.
        task: The task's short name where it was written.
        title: Its title, for whoever looks at the file.
        has_names: Whether people's names travel.
        parts: By name, `parts/NAME.jsonl` of the file.
        blobs: Stored files, by digest, and their sizes: `blobs/DIGEST` of the file.
        licences: The licences of its datasets.
        canaries: What releases say so that they can be found in training data.
        content_warning: What a reader may meet, if the task warns of something.
        left_out: What the file never holds, and why.
    """

    format: Annotated[str, Field(pattern=f"^{FORMAT}$")]
    format_version: Annotated[int, Field(ge=1)]
    product_version: str
    task: str
    title: str
    has_names: bool
    parts: dict[str, PartRead]
    blobs: dict[Sha256, Count]
    licences: list[str]
    canaries: list[str]
    content_warning: str | None
    left_out: dict[str, str]


class MovedTaskRead(WireModel):
    """A task that was written to a file, looked at in one, or read from one.

    Attributes:
        task: Its short name here.
        title: Its title.
        product_version: Which version of Dynabench wrote the file.
        rows: How many rows each part holds.
        blobs: How many stored files travel.
        bytes: The file's size.
        has_names: Whether people's names travel.
        licences: The licences of its datasets.
        left_out: What the file never holds, and why.
    """

    task: str
    title: str
    product_version: str
    rows: dict[str, int]
    blobs: int
    bytes: int
    has_names: bool
    licences: list[str]
    left_out: dict[str, str]


def moved(manifest: TaskManifest, *, slug: str, size: int) -> MovedTaskRead:
    """Return what is told of a file."""
    return MovedTaskRead(
        task=slug,
        title=manifest.title,
        product_version=manifest.product_version,
        rows={name: one.rows for name, one in manifest.parts.items() if one.rows},
        blobs=len(manifest.blobs),
        bytes=size,
        has_names=manifest.has_names,
        licences=manifest.licences,
        left_out=manifest.left_out,
    )
