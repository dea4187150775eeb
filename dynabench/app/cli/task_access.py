"""`dynabench task change`: who may take part in a task, and who may try its models."""

from typing import Annotated

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import say
from dynabench.kit.errors import InvalidError

_OPTIONS = "--visitors-may-try, --visitors-may-not-try, --open-to-everyone or --members-only"


def register(tasks: typer.Typer) -> None:
    """Add these commands."""
    tasks.command("change")(change_task)


def change_task(
    *,
    slug: Annotated[
        str, typer.Argument(metavar="TASK", help="The task's short name, as in `nli`.")
    ],
    visitors_may_try: Annotated[
        bool | None,
        typer.Option(
            "--visitors-may-try/--visitors-may-not-try",
            help="Whether people without an account may try the models of an open round.",
            show_default=False,
        ),
    ] = None,
    is_open_to_everyone: Annotated[
        bool | None,
        typer.Option(
            "--open-to-everyone/--members-only",
            help="Whether everybody with an account may write and judge, or members alone.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Say who may take part in a task, and who may try its models (owners).

    What is not said stays as it is. **Visitors** have no account: they may try a model on the
    task's page, nothing of it is kept, and each try costs the model as much as an attempt. Close
    that where a model is slow, or paid for by the answer:

    `dynabench task change nli --visitors-may-not-try`

    **Members only** closes writing and judging to all but whom you have added:
    `dynabench task members add nli USERNAME`.
    """
    if visitors_may_try is None and is_open_to_everyone is None:
        raise InvalidError(f"Nothing was said to change. Add one of {_OPTIONS}.")
    with open_client() as client:
        task = client.tasks.update(
            slug, visitors_may_try=visitors_may_try, is_open_to_everyone=is_open_to_everyone
        )
    who = "Everybody with an account" if task.is_open_to_everyone else "Members alone"
    say(f"{who} may write and judge in {slug}.")
    tries = "may" if task.visitors_may_try else "may not"
    say(f"Visitors {tries} try the models of its open round.")
