"""Wire shapes of archives."""

from uuid import UUID

from dynabench.kit.sentences import Told
from dynabench.kit.wire import WireModel
from dynabench.loop.datasets.archives.values import ArchiveState


class ArchivedFileRead(WireModel):
    """A file in an archive; `items` is null where it holds none."""

    name: str
    sha256: str
    size_bytes: int
    items: int | None


class ArchiveRead(WireModel):
    """How far a version's archive is.

    `digest`, `size_bytes` and `files` are there once it is `ready`; `progress` is 0 to 1 while
    it is `making`; `error` says why it `failed`. `told` says what `error` says, or else
    `message`.
    """

    dataset_version_id: UUID
    state: ArchiveState
    file_name: str
    digest: str | None
    size_bytes: int | None
    files: list[ArchivedFileRead]
    job_id: UUID | None
    progress: float | None
    message: str
    error: str | None
    told: Told | None = None
