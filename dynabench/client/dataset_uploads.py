"""Calls that make datasets: of files, and of other datasets with changed texts."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict, TypeVar, Unpack

from dynabench.client.addresses import DatasetRef, Id, TaskRef
from dynabench.client.aliases import old_argument
from dynabench.client.calls import create, delete, exchange, get, path, read, shape
from dynabench.client.files import OnProgress, Rows, upload_file, upload_lines
from dynabench.client.jobs import wait
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Steps
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.row_files.naming import format_of
from dynabench.engines.row_files.values import RowFormat
from dynabench.kit.errors import InvalidError
from dynabench.loop.datasets.errors import DatasetFileError
from dynabench.loop.datasets.perturbing.schemas import (
    PerturbationCreate,
    PerturbationResultRead,
    TransformRead,
    VariantRead,
)
from dynabench.loop.datasets.uploads.schemas import (
    DatasetCreate,
    DatasetFileRead,
    DatasetImportRead,
)
from dynabench.loop.datasets.uploads.values import ImportState

OnJob = Callable[[JobRead], None]
ReportT = TypeVar("ReportT", DatasetImportRead, PerturbationResultRead)


class DatasetOptions(TypedDict, total=False):
    """What may be said of a dataset beside its name and licence.

    Attributes:
        access: `scoring` (the default), `standard` or `hidden`.
        split: The split of rows that name none: `train`, `dev` or `test`.
        columns: The field that each column of the file holds; others are passed over.
        labels: For a field, the label that each word of the file means.
        tags: What kind of set it is.
        subtask_of: The column of the board that it is averaged into.
        description: For its card.
        source: Where the items come from.
        content_warning: What readers should know before they read.
        check_only: Only tell what is wrong; nothing is stored.
    """

    access: str | None
    split: str | None
    columns: Mapping[str, str] | None
    labels: Mapping[str, Mapping[str, str]] | None
    tags: Sequence[str] | None
    subtask_of: str | None
    description: str | None
    source: str | None
    content_warning: str | None
    check_only: bool


def _send(task: TaskRef, file: str | Path | Rows, on_progress: OnProgress | None) -> Steps[str]:
    where = path("tasks", task, "dataset-files")
    if isinstance(file, str | Path):
        request = upload_file(where, file, on_progress=on_progress)
    else:
        request = upload_lines(where, file, on_progress=on_progress)
    return read((yield from exchange(request)), DatasetFileRead).digest


def _format_of(file: str | Path | Rows, row_format: str | None) -> str:
    if row_format is not None:
        return row_format
    if not isinstance(file, str | Path):
        return RowFormat.JSONL
    found = format_of(str(file))
    if found is None:
        message = f"The name {Path(file).name} tells no format; say jsonl, csv or parquet."
        raise InvalidError(message, fields={"row_format": message})
    return found


def _reported(job: JobRead, kind: type[ReportT]) -> ReportT:
    """Return what a job found.

    Raises:
        DatasetFileError: If it refused the file.
    """
    report = kind.model_validate(job.result)
    if report.state is ImportState.REFUSED:
        problems: list[dict[str, object]] = [
            {"line": one.line, "path": one.field, "message": one.message} for one in report.problems
        ]
        raise DatasetFileError(problems=problems, more=report.more_problems)
    return report


class DatasetUploadCalls(Calls[FaceT]):
    """Making datasets."""

    @Endpoint
    def send_file(
        self, task: TaskRef, file: str | Path | Rows, *, on_progress: OnProgress | None = None
    ) -> Steps[str]:
        """Send a file of items, of which nothing is made yet (owners).

        Returns:
            Its digest, which `create` and `perturb` name it by.
        """
        return _send(task, file, on_progress)

    @Endpoint
    def create(
        self,
        task: TaskRef,
        file_digest: str,
        *,
        name: str,
        licence: str,
        row_format: str = "jsonl",
        idempotency_key: str | None = None,
        **options: Unpack[DatasetOptions],
    ) -> Steps[JobRead]:
        """Ask for a sent file to be checked and stored as a dataset's next version (owners).

        Returns:
            The job that does it; `upload` waits for it and reads its result.
        """
        given = {**options, "name": name, "licence": licence, "row_format": row_format}
        order = shape(DatasetCreate, {**given, "file": file_digest})
        return create(path("tasks", task, "datasets"), JobRead, order, key=idempotency_key)

    @Endpoint
    def upload(
        self,
        task: TaskRef,
        file: str | Path | Rows,
        *,
        name: str,
        licence: str,
        row_format: str | None = None,
        on_progress: OnProgress | None = None,
        **options: Unpack[DatasetOptions],
    ) -> Steps[DatasetImportRead]:
        """Store a file of items as a dataset's next version, all of them or none (owners).

        Args:
            task: The task, by its slug.
            file: The path of a JSON lines, CSV or Parquet file, or the rows themselves. A row
                names the task's fields, and may name `uid`, `split` and `tags`.
            name: The dataset; a version of that name before makes this one the next.
            licence: Under which terms it may be used.
            row_format: `jsonl`, `csv` or `parquet`; the file's name tells by default.
            on_progress: Told the bytes sent, and of how many where that is known. To follow the
                job that reads them, call `send_file`, `create` and `jobs.wait`.
            options: See `DatasetOptions`.

        Returns:
            What became of it; its `dataset` is the version's.

        Raises:
            DatasetFileError: With line and field of each problem; nothing was stored.
            JobFailedError: If the file could not be read at all.
        """
        written = _format_of(file, row_format)
        given: dict[str, object] = {**options}
        on_job = old_argument(given, "on_job", new="jobs.wait(…, on_progress=…)")
        given |= {"name": name, "licence": licence, "row_format": written}
        # What is wrong with the order is told before a large file is sent.
        shape(DatasetCreate, {**given, "file": "0" * 64})
        digest = yield from _send(task, file, on_progress)
        order = shape(DatasetCreate, {**given, "file": digest})
        job = yield from create(path("tasks", task, "datasets"), JobRead, order)
        return _reported((yield from wait(job.id, on_progress=on_job)), DatasetImportRead)

    @Endpoint
    def import_result(self, job_id: Id) -> Steps[DatasetImportRead]:
        """Tell what became of a file, once its job is done (owners)."""
        return get(path("dataset-imports", job_id), DatasetImportRead)

    @Endpoint
    def transforms(self, task: TaskRef) -> Steps[Table[TransformRead]]:
        """List the transforms, and which of them a task's texts are varied by."""
        return get(path("tasks", task, "transforms"), Table[TransformRead])

    @Endpoint
    def perturb(
        self,
        dataset: DatasetRef,
        metric: str,
        *,
        seed: int = 0,
        transforms: Sequence[str] | None = None,
        file_digest: str | None = None,
        row_format: str = "jsonl",
        on_progress: OnJob | None = None,
    ) -> Steps[PerturbationResultRead]:
        """Vary the texts of a version's test and dev items (owners).

        Args:
            dataset: The version.
            metric: `robustness` or `fairness`.
            seed: Decides the draws.
            transforms: Which transforms; those of the task's config by default.
            file_digest: A file of variants of one's own, as `send_file` returned it: a
                row for each with `original_uid` and the changed texts.
            row_format: How that file is written.
            on_progress: Called with each state of the job that was seen.

        Raises:
            DatasetFileError: With line and field of each problem in one's own file.
            JobFailedError: If no text can be varied.
        """
        given = {
            "kind": metric,
            "seed": seed,
            "transforms": transforms,
            "file": file_digest,
            "row_format": row_format,
        }
        body = shape(PerturbationCreate, given)
        where = path("dataset-versions", dataset, "perturbations")
        job = yield from create(where, JobRead, body)
        return _reported((yield from wait(job.id, on_progress=on_progress)), PerturbationResultRead)

    @Endpoint
    def perturbation_result(self, job_id: Id) -> Steps[PerturbationResultRead]:
        """Tell what became of a perturbing job, once it is done (owners)."""
        return get(path("perturbations", job_id), PerturbationResultRead)

    @Endpoint
    def variants(
        self, dataset: DatasetRef, transform: str, *, after: int = 0, limit: int = 20
    ) -> Steps[Table[VariantRead]]:
        """Show what a transform made of items, each beside its original (owners)."""
        query = {"transform": transform, "after": after, "limit": limit}
        return get(path("dataset-versions", dataset, "variants"), Table[VariantRead], query)

    @Endpoint
    def delete(self, dataset: DatasetRef) -> Steps[None]:
        """Delete an upload with its variants and scores, if no model learned from it (owners)."""
        return delete(path("dataset-versions", dataset))
