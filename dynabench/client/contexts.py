"""Calls about contexts."""

from collections.abc import Callable, Iterable
from pathlib import Path

from dynabench.client.addresses import Id, TaskRef
from dynabench.client.calls import delete, exchange, get, path, read
from dynabench.client.context_files import with_uploads
from dynabench.client.files import OnProgress, Rows, upload_lines
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT, Listing
from dynabench.client.steps import Steps
from dynabench.kit.paging import Page
from dynabench.loop.contexts.schemas import ContextRead, ContextUploadRead, TagRead


def _contexts(task: TaskRef, tag: str | None, cursor: str | None) -> Steps[Page[ContextRead]]:
    query = {"tag": tag, "cursor": cursor}
    return get(path("tasks", task, "contexts"), Page[ContextRead], query)


class ContextCalls(Calls[FaceT]):
    """What annotators write about.

    Example::

        client.contexts.upload("nli", [{"context": {"premise": "It rains."}, "tag": "news"}])
    """

    @Listing
    def list(
        self, task: TaskRef, *, tag: str | None = None
    ) -> Callable[[str | None], Steps[Page[ContextRead]]]:
        """Go through a task's contexts (owners)."""
        return lambda cursor: _contexts(task, tag, cursor)

    @Endpoint
    def get(self, context_id: Id) -> Steps[ContextRead]:
        """Show a context."""
        return get(path("contexts", context_id), ContextRead)

    @Endpoint
    def upload(
        self,
        task: TaskRef,
        source: str | Path | Rows | Iterable[ContextRead],
        *,
        on_progress: OnProgress | None = None,
    ) -> Steps[ContextUploadRead]:
        """Add contexts; those already there are counted, not doubled (owners).

        Args:
            task: The task, by its slug.
            source: The path of a file of JSON lines or CSV, or contexts as they came back, or
                rows, each `{"context": {…}, "tag": "…", "metadata": {…}}`. A column of CSV is a
                field of the context, `tag`, or else part of the metadata. For a picture or a sound
                a field holds `{"url": …}`, `{"media": digest}`, or `{"file": path}` with a path
                below the file's own folder (below the current one for rows): that file is
                uploaded first.
            on_progress: Told the bytes sent, and of how many where that is known.

        Raises:
            ContextFileError: With the number of each wrong line; nothing was stored.
        """
        ready = yield from with_uploads(task, source)
        request = upload_lines(path("tasks", task, "contexts"), ready, on_progress=on_progress)
        return read((yield from exchange(request)), ContextUploadRead)

    @Endpoint
    def tags(self, task: TaskRef) -> Steps[Table[TagRead]]:
        """List the tags of a task's contexts."""
        return get(path("tasks", task, "context-tags"), Table[TagRead])

    @Endpoint
    def sample(self, task: TaskRef) -> Steps[ContextRead]:
        """Show some context of a task, for `try_out`; nothing is lent."""
        return get(path("tasks", task, "sample-context"), ContextRead)

    @Endpoint
    def retire(self, context_id: Id) -> Steps[None]:
        """Hand a context out no more; examples on it stay (owners)."""
        return delete(path("contexts", context_id))
