"""Calls about models."""

from collections.abc import Mapping, Sequence

from dynabench.client.addresses import ModelRef, TaskRef
from dynabench.client.calls import create, get, path, post, shape
from dynabench.client.lists import Table
from dynabench.client.methods import Endpoint, FaceT
from dynabench.client.results import Results
from dynabench.client.steps import Steps
from dynabench.client.submissions import SubmissionCalls
from dynabench.client.waiting import OnScoring, wait_until_checked, wait_until_scored
from dynabench.loop.evaluations.schemas import EvaluationRead, ScoreRead
from dynabench.loop.evaluations.signed_reports.schemas import SignedReport, SigningKeyRead
from dynabench.loop.leaderboards.schemas import StandingRead
from dynabench.loop.models.schemas import ModelCheckRead, ModelCreate, ModelHealthRead, ModelRead
from dynabench.loop.models.values import ModelPurpose


def _ignore(model: ModelRead, evaluations: Sequence[EvaluationRead]) -> None:
    del model, evaluations


def _create(
    task: TaskRef,
    *,
    name: str,
    kind: str,
    options: Mapping[str, object],
    description: str,
    allow_private_address: bool,
    key: str | None,
    purpose: str = ModelPurpose.TARGET.value,
) -> Steps[ModelRead]:
    body = shape(
        ModelCreate,
        {
            "name": name,
            "kind": kind,
            "purpose": purpose,
            "options": dict(options),
            "description": description,
            "allow_private_address": allow_private_address,
        },
    )
    return create(path("tasks", task, "models"), ModelRead, body, key=key)


class ModelCalls(SubmissionCalls[FaceT]):
    """Submitted models: `TASK/NAME` is the newest version of a name, `TASK/NAME@2` its second.

    Example::

        model = client.models.submit("my-model", task="nli", description="Mine")
        print(client.models.results(model)["round1_acc"])
    """

    @Endpoint
    def list(self, task: TaskRef) -> Steps[Table[ModelRead]]:
        """List the models of a task, newest first."""
        return get(path("tasks", task, "models"), Table[ModelRead])

    @Endpoint
    def get(self, model: ModelRef) -> Steps[ModelRead]:
        """Show a model."""
        return get(path("models", model), ModelRead)

    @Endpoint
    def create(
        self,
        task: TaskRef,
        *,
        name: str,
        kind: str,
        options: Mapping[str, object],
        description: str = "",
        purpose: str = ModelPurpose.TARGET.value,
        allow_private_address: bool = False,
        idempotency_key: str | None = None,
    ) -> Steps[ModelRead]:
        """Submit a model by its address; it answers a trial input before it is taken (owners).

        Args:
            task: The task, by its slug.
            name: What the model is called; a name of the task's again is its next version.
            kind: `endpoint` or `openai`.
            options: For `endpoint`: `url`, optional `model_name`, `input_tensors`,
                `output_tensors`. For `openai`: `base_url`, `model`, and optional
                `prompt` (a conversation and a judge need none), `answer` and `api_key_env`.
            description: Shown with the model.
            purpose: `target`, or `judge` for one that says what breaks the task's rubric.
            allow_private_address: The address may be on a private network (administrators).
            idempotency_key: Makes a later repetition of this call return the same model.
        """
        return _create(
            task,
            name=name,
            kind=kind,
            options=options,
            description=description,
            purpose=purpose,
            allow_private_address=allow_private_address,
            key=idempotency_key,
        )

    @Endpoint
    def health(self, model: ModelRef) -> Steps[ModelHealthRead]:
        """Tell how a target model is doing on the server (owners)."""
        return get(path("models", model, "health"), ModelHealthRead)

    @Endpoint
    def check(self, model: ModelRef) -> Steps[ModelCheckRead]:
        """Ask a model a trial input again (owners)."""
        return post(path("models", model, "check"), ModelCheckRead)

    @Endpoint
    def results(
        self, model: ModelRef, *, wait: bool = True, on_progress: OnScoring | None = None
    ) -> Steps[Results]:
        """Return a model's results by name: `results["round1_acc"]`, `results["dynascore"]`.

        Args:
            model: The model.
            wait: Whether a model of one's own is waited for until it is checked and scored;
                others' results are those that there are.
            on_progress: Told while it waits: the model, and its evaluations once it is ready.

        Raises:
            ModelRejectedError: If it was waited for and did not pass the checks.
        """
        found = yield from get(path("models", model), ModelRead)
        if wait and found.is_mine:
            tell = on_progress or _ignore
            found = yield from wait_until_checked(
                found.id, on_progress=lambda checked: tell(checked, [])
            )
            yield from wait_until_scored(found, on_progress=tell)
        scores = yield from get(path("tasks", found.task_slug, "scores"), list[ScoreRead])
        standing = yield from get(path("models", found.id, "standing"), StandingRead)
        return Results.of(found.id, scores, standing)

    @Endpoint
    def standing(self, model: ModelRef) -> Steps[StandingRead]:
        """Tell where a model stands with the default weights, published or not."""
        return get(path("models", model, "standing"), StandingRead)

    @Endpoint
    def report(self, model: ModelRef) -> Steps[SignedReport]:
        """Return a model's results as a signed report; `dynabench report verify` checks one."""
        return get(path("models", model, "report"), SignedReport)

    @Endpoint
    def signing_key(self) -> Steps[SigningKeyRead]:
        """Return the key that the server signs reports with."""
        return get(path("signing-key"), SigningKeyRead)

    __getitem__ = get
