"""`dynabench job`: work that the server does in the background."""

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import (
    AsJson,
    moving_share,
    notice,
    say,
    show_facts,
    show_json,
    show_table,
)
from dynabench.engines.jobs.schemas import JobRead

if TYPE_CHECKING:
    from dynabench.client.client import DynabenchClient

jobs = typer.Typer(no_args_is_help=True, help="Work that the server does in the background.")

JobText = Annotated[str, typer.Argument(metavar="JOB", help="As shown by `dynabench job list`.")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(jobs, name="job")


@jobs.command("list")
def list_jobs(*, as_json: AsJson = False) -> None:
    """List the newest jobs."""
    with open_client() as client:
        found = client.jobs.list()
    if as_json:
        show_json(found)
        return
    show_table(
        ["job", "state", "done", "doing", "id"],
        [
            (job.name, job.state, f"{job.progress:.0%}", job.error or job.message, job.id)
            for job in found
        ],
        empty="No jobs have run.",
    )


@jobs.command("show")
def show_job(
    *,
    job_id: JobText,
    wait: Annotated[bool, typer.Option("--wait", help="Wait until it is done.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a job's state."""
    with open_client() as client:
        job = wait_for(client, job_id, what="Job") if wait else client.jobs.get(job_id)
    if as_json:
        show_json(job)
        return
    show_facts(
        [
            ("job", job.name),
            ("state", job.state),
            ("done", f"{job.progress:.0%}"),
            ("doing", job.message),
            ("problem", job.error),
            ("result", job.result),
        ]
    )


@jobs.command("log")
def show_log(*, job_id: JobText) -> None:
    """Print a job's log, oldest line first."""
    with open_client() as client:
        lines = client.jobs.log(job_id)
    for line in lines:
        say(line)
    if not lines:
        notice("The job has logged nothing.")


@jobs.command("cancel")
def cancel_job(*, job_id: JobText) -> None:
    """Stop a job; what it finished stays."""
    with open_client() as client:
        job = client.jobs.cancel(job_id)
    say(f"The job {job.name} is {job.state}.")


def wait_for(client: "DynabenchClient", job_id: UUID | str, *, what: str) -> JobRead:
    """Wait for a job with a bar, and return it done.

    Raises:
        JobFailedError: If it failed, with its reason.
    """
    with moving_share(what) as move:
        return client.jobs.wait(job_id, on_progress=lambda job: move(job.progress, job.message))
