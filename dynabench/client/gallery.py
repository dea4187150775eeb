"""Calls about the gallery: tasks that the package brings."""

from dynabench.client.calls import create, get, path, shape
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Steps
from dynabench.engines.jobs.schemas import JobRead
from dynabench.loop.interchange.gallery.schemas import GalleryAdd, GalleryEntryRead


class GalleryCalls(Calls[FaceT]):
    """Tasks that an administrator adds with their contexts, models and first round.

    Example::

        job = client.gallery.add("hate-speech", slug="hate")
    """

    @Endpoint
    def list(self) -> Steps[Table[GalleryEntryRead]]:
        """List the tasks that the package brings (administrators)."""
        return get(path("gallery"), Table[GalleryEntryRead])

    @Endpoint
    def add(
        self, name: str, *, slug: str | None = None, idempotency_key: str | None = None
    ) -> Steps[JobRead]:
        """Add a task of the gallery, under another slug if you like (administrators).

        The job's `result` names the task: `wait_for_job(job.id).result["slug"]`.
        """
        body = shape(GalleryAdd, {"slug": slug})
        return create(path("gallery", name), JobRead, body, key=idempotency_key)
