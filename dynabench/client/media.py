"""Calls about pictures and sounds."""

from pathlib import Path
from typing import BinaryIO

from dynabench.client.addresses import Id, TaskRef
from dynabench.client.calls import exchange, get, path, post, read, shape
from dynabench.client.files import OnProgress, download, upload_file
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Steps
from dynabench.loop.media.schemas import MediaFetch, MediaRead


class MediaCalls(Calls[FaceT]):
    """Pictures and sounds, which fields of examples name by their digest.

    Example::

        digest = client.media.upload("captions", "cat.png").digest
    """

    @Endpoint
    def upload(
        self, task: TaskRef, file: str | Path, *, on_progress: OnProgress | None = None
    ) -> Steps[MediaRead]:
        """Store a picture or a sound for a task; the same file gives the same digest.

        What only describes it (place, camera, remarks) is left out, so the digest may differ
        from the file's own.

        Args:
            task: The task, by its slug.
            file: Where the file lies on this machine.
            on_progress: Told the bytes sent, and of how many.

        Raises:
            MediaRefusedError: If it is no picture or sound that is taken.
        """
        where = path("tasks", task, "media")
        return read(
            (yield from exchange(upload_file(where, file, on_progress=on_progress))), MediaRead
        )

    @Endpoint
    def fetch(self, task: TaskRef, url: str) -> Steps[MediaRead]:
        """Have the server fetch a picture or a sound and store it for a task."""
        body = shape(MediaFetch, {"url": url})
        return post(path("tasks", task, "media", "fetch"), MediaRead, body)

    @Endpoint
    def get(self, digest: Id) -> Steps[MediaRead]:
        """Tell what a stored file is."""
        return get(path("media", digest, "facts"), MediaRead)

    @Endpoint
    def download(
        self, digest: Id, to: str | Path | BinaryIO, *, on_progress: OnProgress | None = None
    ) -> Steps[int]:
        """Write a stored file to a path or an open binary file; return its size in bytes."""
        return download(path("media", digest), to, on_progress=on_progress)

    @Endpoint
    def download_thumbnail(
        self, digest: Id, to: str | Path | BinaryIO, *, on_progress: OnProgress | None = None
    ) -> Steps[int]:
        """Write a picture in at most 480 × 480 pixels; return its size in bytes."""
        return download(path("media", digest, "thumbnail"), to, on_progress=on_progress)
