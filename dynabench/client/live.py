"""Calls about numbers that change: once, or as they change."""

from dynabench.client.calls import Id, get, path
from dynabench.client.methods import Endpoint, Watching
from dynabench.client.steps import Steps
from dynabench.client.watching import Subscription
from dynabench.engines.jobs.schemas import JobRead
from dynabench.loop.leaderboards.live.schemas import RoundNumbersRead, TaskNumbersRead
from dynabench.loop.training.schemas import TrainingNewsRead


class LiveCalls:
    """Rounds, jobs and trainings as they go on.

    A `watch_…` is an iterator (or an async one) that gives the present state first and then
    every new one. It connects again by itself where the line breaks or the server starts
    anew, and ends when there is nothing more to come.
    """

    @Endpoint
    def round_numbers(self, round_id: Id) -> Steps[RoundNumbersRead]:
        """Show how a round goes: pace, error rates, backlog, effort, gap, projected end."""
        return get(path("rounds", round_id, "numbers"), RoundNumbersRead)

    @Endpoint
    def task_numbers(self, task: str) -> Steps[TaskNumbersRead]:
        """Show how a task's latest round goes."""
        return get(path("tasks", task, "numbers"), TaskNumbersRead)

    @Watching
    def watch_round(self, round_id: Id) -> Subscription[RoundNumbersRead]:
        """Watch a round's numbers change, until it is released."""
        return Subscription(path("rounds", round_id, "live"), RoundNumbersRead)

    @Watching
    def watch_task(self, task: str) -> Subscription[TaskNumbersRead]:
        """Watch the numbers of a task's latest round change."""
        return Subscription(path("tasks", task, "live"), TaskNumbersRead)

    @Watching
    def watch_jobs(self) -> Subscription[list[JobRead]]:
        """Watch the newest jobs: one's own, or all of them for administrators."""
        return Subscription(path("jobs", "live"), list[JobRead])

    @Watching
    def watch_job(self, job_id: Id) -> Subscription[JobRead]:
        """Watch a job's state and progress, until it is over."""
        return Subscription(path("jobs", job_id, "live"), JobRead)

    @Watching
    def watch_training(self, task: str, training_id: Id) -> Subscription[TrainingNewsRead]:
        """Watch a training and its log, until it is over (owners)."""
        return Subscription(path("tasks", task, "trainings", training_id, "live"), TrainingNewsRead)
