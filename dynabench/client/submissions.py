"""Calls about submissions: hand a model in, follow its check, publish it, delete it."""

from collections.abc import Mapping
from pathlib import Path

from dynabench.client.addresses import DatasetRef, Id, ModelRef, TaskRef
from dynabench.client.calls import create, delete, exchange, get, patch, path, post, read, shape
from dynabench.client.errors import SubmissionKindError
from dynabench.client.files import OnProgress, Rows, upload_file, upload_lines
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.model_files import kind_of, packed
from dynabench.client.steps import Steps
from dynabench.client.waiting import OnModel, wait_until_checked
from dynabench.loop.evaluations.prediction_files.schemas import PredictionFileRead
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.models.submissions.allowances.schemas import AllowanceRead
from dynabench.loop.models.submissions.schemas import ModelPatch, SubmissionCreate

_LONGEST_NAME = 80


class SubmissionCalls(Calls[FaceT]):
    """Models that people hand in."""

    @Endpoint
    def allowance(self, task: TaskRef) -> Steps[AllowanceRead]:
        """Tell what may still be submitted to a task today, and what the server takes."""
        return get(path("tasks", task, "submission-allowance"), AllowanceRead)

    @Endpoint
    def submit(
        self,
        model_path: str | Path | None = None,
        *,
        task: TaskRef,
        description: str = "",
        kind: str | None = None,
        name: str | None = None,
        options: Mapping[str, object] | None = None,
        card: Mapping[str, str] | None = None,
        is_anonymous: bool = False,
        on_progress: OnProgress | None = None,
        wait: bool = False,
        idempotency_key: str | None = None,
    ) -> Steps[ModelRead]:
        """Submit a model; its check goes on unless it is waited for.

        Args:
            model_path: A folder, a zip or tar.gz archive, or an .onnx file; None without files.
            task: The task, by its slug.
            description: Shown with the model.
            kind: By default what the files look like, most often `handler`.
            name: By default after its files or description; the same again is the next version.
            options: How the model is reached or read; see the guide to submitting.
            card: What readers must know, such as `intended_use`; needed to publish.
            is_anonymous: Whether only the task's owners are told who submitted it.
            on_progress: Told the bytes sent, and of how many.
            wait: Whether to return only once the model is ready.
            idempotency_key: Makes a later repetition of this call return the same model.

        Raises:
            SubmissionKindError: If neither files nor a kind say what is submitted.
            ModelRejectedError: If it was waited for and did not pass the checks.
        """
        source = None if model_path is None else Path(model_path)
        if kind is None and source is None:
            raise SubmissionKindError
        values: dict[str, object] = {
            "name": (name or _name_of(source) or description or str(kind))[:_LONGEST_NAME],
            "kind": kind or kind_of(source or Path()).value,
            "description": description,
            "options": dict(options or {}),
            "card": card,
            "is_anonymous": is_anonymous,
        }
        body = shape(SubmissionCreate, values)
        model = yield from _submit(task, body, source, on_progress=on_progress, key=idempotency_key)
        return (yield from wait_until_checked(model.id)) if wait else model

    @Endpoint
    def upload(
        self, model: ModelRef, model_path: str | Path, *, on_progress: OnProgress | None = None
    ) -> Steps[ModelRead]:
        """Send the files of a model that has none yet, as after a broken upload."""
        with packed(Path(model_path)) as file:
            return (yield from _upload(model, file, on_progress))

    @Endpoint
    def submit_predictions(
        self,
        model: ModelRef,
        dataset: DatasetRef,
        source: str | Path | Rows,
        *,
        on_progress: OnProgress | None = None,
    ) -> Steps[PredictionFileRead]:
        """Hand in a `predictions` model's answers to a dataset version; they are scored at once.

        Args:
            model: The model; its first file makes it ready.
            dataset: What is answered: every item of `test`, and of `dev` all or none.
            source: A file of JSON lines, or its rows: `{"uid": …}` and the output fields.
            on_progress: Told the bytes sent, and of how many where that is known.
        """
        where = path("models", model, "predictions", dataset)
        request = upload_lines(where, source, method="PUT", on_progress=on_progress)
        return read((yield from exchange(request)), PredictionFileRead)

    @Endpoint
    def wait(
        self,
        model: ModelRef,
        *,
        on_progress: OnModel | None = None,
        timeout_seconds: float | None = None,
    ) -> Steps[ModelRead]:
        """Wait until a model's check is over and return it ready.

        Raises:
            ModelRejectedError: If it did not pass, with what is wrong.
            WaitedTooLongError: If the check was not over in time; it goes on.
        """
        return (
            yield from wait_until_checked(
                model, on_progress=on_progress, timeout_seconds=timeout_seconds
            )
        )

    @Endpoint
    def update(
        self,
        model: ModelRef,
        *,
        description: str | None = None,
        card: Mapping[str, str] | None = None,
        is_anonymous: bool | None = None,
    ) -> Steps[ModelRead]:
        """Change what is said of a model; a card takes the place of the one before."""
        return _change(
            model, {"description": description, "card": card, "is_anonymous": is_anonymous}
        )

    @Endpoint
    def publish(
        self, model: ModelRef, *, card: Mapping[str, str] | None = None
    ) -> Steps[ModelRead]:
        """Show a model to everybody, which needs a card."""
        return _change(model, {"card": card, "is_published": True})

    @Endpoint
    def withdraw(self, model: ModelRef) -> Steps[ModelRead]:
        """Make a model private again (its submitter, owners)."""
        return _change(model, {"is_published": False})

    @Endpoint
    def retry(self, model: ModelRef) -> Steps[ModelRead]:
        """Have a model checked again that was rejected, or whose check could not be done."""
        return post(path("models", model, "retry"), ModelRead)

    @Endpoint
    def log(self, model: ModelRef) -> Steps[Table[str]]:
        """Show the log of a model's check, oldest line first."""
        return get(path("models", model, "log"), Table[str])

    @Endpoint
    def delete(self, model: ModelRef) -> Steps[None]:
        """Delete a model with its files, predictions and scores."""
        return delete(path("models", model))


def _submit(
    task: TaskRef,
    body: SubmissionCreate,
    source: Path | None,
    *,
    on_progress: OnProgress | None,
    key: str | None,
) -> Steps[ModelRead]:
    where = path("tasks", task, "submissions")
    if source is None:
        return (yield from create(where, ModelRead, body, key=key))
    # What cannot be packed is said before anything is made.
    with packed(source) as file:
        model = yield from create(where, ModelRead, body, key=key)
        return (yield from _upload(model.id, file, on_progress))


def _upload(model_id: Id, file: Path, on_progress: OnProgress | None) -> Steps[ModelRead]:
    where = path("models", model_id, "artifact")
    request = upload_file(where, file, method="PUT", on_progress=on_progress)
    return read((yield from exchange(request)), ModelRead)


def _change(model_id: Id, values: Mapping[str, object]) -> Steps[ModelRead]:
    return patch(path("models", model_id), ModelRead, shape(ModelPatch, values))


def _name_of(source: Path | None) -> str:
    if source is None:
        return ""
    name = source.resolve().name
    for ending in (".tar.gz", ".tgz", ".zip", ".onnx"):
        name = name.removesuffix(ending)
    return name
