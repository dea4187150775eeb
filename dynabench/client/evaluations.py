"""Calls about evaluations and scores."""

from dynabench.client.calls import Id, create, get, path, post, shape
from dynabench.client.methods import Endpoint
from dynabench.client.results import Results
from dynabench.client.steps import Steps
from dynabench.client.waiting import wait_until_checked, wait_until_scored
from dynabench.engines.jobs.schemas import JobRead
from dynabench.loop.evaluations.schemas import EvaluationCreate, EvaluationRead, ScoreRead
from dynabench.loop.leaderboards.preferences.schemas import PreferenceBoardRead
from dynabench.loop.leaderboards.schemas import StandingRead
from dynabench.loop.models.schemas import ModelRead


def _scores(task: str) -> Steps[list[ScoreRead]]:
    return get(path("tasks", task, "scores"), list[ScoreRead])


class EvaluationCalls:
    """Models on datasets."""

    @Endpoint
    def list_scores(self, task: str) -> Steps[list[ScoreRead]]:
        """List the scores of every model of a task on every dataset."""
        return _scores(task)

    @Endpoint
    def read_preferences(
        self, task: str, *, round_number: int | None = None
    ) -> Steps[PreferenceBoardRead]:
        """Rank models by people's choices between their replies, in one round or in all."""
        query = {} if round_number is None else {"round_number": round_number}
        return get(path("tasks", task, "preferences"), PreferenceBoardRead, query)

    @Endpoint
    def get_results(self, model_id: Id, *, wait: bool = True) -> Steps[Results]:
        """Return a model's results by name: `results["round1_acc"]`, `results["dynascore"]`.

        Args:
            model_id: The model.
            wait: Whether a model of one's own is waited for until it is checked and scored;
                others' results are those that there are.

        Raises:
            ModelRejectedError: If it was waited for and did not pass the checks.
        """
        model = yield from get(path("models", model_id), ModelRead)
        if wait and model.is_mine:
            model = yield from wait_until_checked(model_id)
            yield from wait_until_scored(model)
        scores = yield from _scores(model.task_slug)
        standing = yield from get(path("models", model_id, "standing"), StandingRead)
        return Results.of(model.id, scores, standing)

    @Endpoint
    def evaluate_model(
        self, model_id: Id, dataset_version_id: Id, *, idempotency_key: str | None = None
    ) -> Steps[JobRead]:
        """Score a model on a dataset version (owners); `wait_for_job` waits for its end."""
        body = shape(EvaluationCreate, {"dataset_version_id": dataset_version_id})
        where = path("models", model_id, "evaluations")
        return create(where, JobRead, body, key=idempotency_key)

    @Endpoint
    def list_evaluations(self, model_id: Id) -> Steps[list[EvaluationRead]]:
        """List a model's evaluations with their scores, newest dataset first."""
        return get(path("models", model_id, "evaluations"), list[EvaluationRead])

    @Endpoint
    def read_evaluation(self, evaluation_id: Id) -> Steps[EvaluationRead]:
        """Show an evaluation, its progress and its results."""
        return get(path("evaluations", evaluation_id), EvaluationRead)

    @Endpoint
    def evaluation_log(self, evaluation_id: Id) -> Steps[list[str]]:
        """List what an evaluation and its model have written (its submitter, owners)."""
        return get(path("evaluations", evaluation_id, "log"), list[str])

    @Endpoint
    def retry_evaluation(self, evaluation_id: Id) -> Steps[EvaluationRead]:
        """Go on with an evaluation that failed or was cancelled (its submitter, owners)."""
        return post(path("evaluations", evaluation_id, "retry"), EvaluationRead)

    @Endpoint
    def cancel_evaluation(self, evaluation_id: Id) -> Steps[EvaluationRead]:
        """End an evaluation that waits or runs (its submitter, owners)."""
        return post(path("evaluations", evaluation_id, "cancel"), EvaluationRead)
