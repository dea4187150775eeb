"""Calls about evaluations and scores."""

from dynabench.client.addresses import DatasetRef, Id, ModelRef, TaskRef
from dynabench.client.calls import create, get, path, post, shape
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Steps
from dynabench.engines.jobs.schemas import JobRead
from dynabench.loop.evaluations.items.schemas import EvaluationItemPage
from dynabench.loop.evaluations.schemas import EvaluationCreate, EvaluationRead, ScoreRead


class EvaluationCalls(Calls[FaceT]):
    """One model on one dataset: how far it is, its log, its scores, its items.

    Example::

        job = client.evaluations.create("nli/my-model", "nli/Round 1")
        for one in client.evaluations.list("nli/my-model"):
            print(one.dataset_name, one.state)
    """

    @Endpoint
    def list(self, model: ModelRef) -> Steps[Table[EvaluationRead]]:
        """List a model's evaluations with their scores, newest dataset first."""
        return get(path("models", model, "evaluations"), Table[EvaluationRead])

    @Endpoint
    def get(self, evaluation_id: Id) -> Steps[EvaluationRead]:
        """Show an evaluation, its progress and its results."""
        return get(path("evaluations", evaluation_id), EvaluationRead)

    @Endpoint
    def create(
        self, model: ModelRef, dataset: DatasetRef, *, idempotency_key: str | None = None
    ) -> Steps[JobRead]:
        """Score a model on a dataset version (owners); `wait_for_job` waits for its end."""
        body = shape(EvaluationCreate, {"dataset_version_id": dataset})
        where = path("models", model, "evaluations")
        return create(where, JobRead, body, key=idempotency_key)

    @Endpoint
    def log(self, evaluation_id: Id) -> Steps[Table[str]]:
        """List what an evaluation and its model have written (its submitter, owners)."""
        return get(path("evaluations", evaluation_id, "log"), Table[str])

    @Endpoint
    def retry(self, evaluation_id: Id) -> Steps[EvaluationRead]:
        """Go on with an evaluation that failed or was cancelled (its submitter, owners)."""
        return post(path("evaluations", evaluation_id, "retry"), EvaluationRead)

    @Endpoint
    def cancel(self, evaluation_id: Id) -> Steps[EvaluationRead]:
        """End an evaluation that waits or runs (its submitter, owners)."""
        return post(path("evaluations", evaluation_id, "cancel"), EvaluationRead)

    @Endpoint
    def items(
        self,
        evaluation_id: Id,
        *,
        split: str = "test",
        outcome: str | None = None,
        tag: str | None = None,
        search: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Steps[EvaluationItemPage]:
        """Browse what a model answered; gold only where the dataset's access allows.

        Args:
            evaluation_id: A model on a dataset version.
            split: `test` or `dev`.
            outcome: `right`, `wrong` or `failed`; all by default.
            tag: Only items with this tag.
            search: A text that the item holds.
            cursor: The `next_cursor` of the page before.
            limit: How many items, at most 200.
        """
        query = {
            "split": split,
            "outcome": outcome,
            "tag": tag,
            "q": search,
            "cursor": cursor,
            "limit": limit,
        }
        return get(path("evaluations", evaluation_id, "items"), EvaluationItemPage, query)

    @Endpoint
    def scores(self, task: TaskRef) -> Steps[Table[ScoreRead]]:
        """List the scores of every model of a task on every dataset."""
        return get(path("tasks", task, "scores"), Table[ScoreRead])
