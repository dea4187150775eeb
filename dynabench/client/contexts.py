"""Calls about contexts."""

from collections.abc import Callable
from pathlib import Path

from dynabench.client.calls import Id, delete, exchange, get, path, read
from dynabench.client.context_files import with_uploads
from dynabench.client.files import OnProgress, Rows, upload_lines
from dynabench.client.methods import Endpoint, Listing
from dynabench.client.steps import Steps
from dynabench.kit.paging import Page
from dynabench.loop.contexts.schemas import ContextRead, ContextUploadRead, TagRead


def _contexts(task: str, tag: str | None, cursor: str | None) -> Steps[Page[ContextRead]]:
    query = {"tag": tag, "cursor": cursor}
    return get(path("tasks", task, "contexts"), Page[ContextRead], query)


class ContextCalls:
    """What annotators write about."""

    @Endpoint
    def list_contexts(
        self, task: str, *, tag: str | None = None, cursor: str | None = None
    ) -> Steps[Page[ContextRead]]:
        """Return one page of a task's contexts (owners)."""
        return _contexts(task, tag, cursor)

    @Listing
    def each_context(
        self, task: str, *, tag: str | None = None
    ) -> Callable[[str | None], Steps[Page[ContextRead]]]:
        """Go through a task's contexts (owners)."""
        return lambda cursor: _contexts(task, tag, cursor)

    @Endpoint
    def upload_contexts(
        self, task: str, source: str | Path | Rows, *, on_progress: OnProgress | None = None
    ) -> Steps[ContextUploadRead]:
        """Add contexts; those already there are counted, not doubled (owners).

        Args:
            task: The task's slug.
            source: The path of a file of JSON lines or CSV, or the rows themselves, each
                `{"context": {…}, "tag": "…", "metadata": {…}}`. A column of CSV is a field of
                the context, `tag`, or else part of the metadata. For a picture or a sound a
                field holds `{"url": …}`, `{"media": digest}`, or `{"file": path}` with a path
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
    def list_context_tags(self, task: str) -> Steps[list[TagRead]]:
        """List the tags of a task's contexts."""
        return get(path("tasks", task, "context-tags"), list[TagRead])

    @Endpoint
    def read_context(self, context_id: Id) -> Steps[ContextRead]:
        """Show a context."""
        return get(path("contexts", context_id), ContextRead)

    @Endpoint
    def sample_context(self, task: str) -> Steps[ContextRead]:
        """Show some context of a task, for `try_out`; nothing is lent."""
        return get(path("tasks", task, "sample-context"), ContextRead)

    @Endpoint
    def retire_context(self, context_id: Id) -> Steps[None]:
        """Hand a context out no more; examples on it stay (owners)."""
        return delete(path("contexts", context_id))
