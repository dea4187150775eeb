"""`dynabench server` and `dynabench worker`: one process each, for more than one machine."""

import os
import sys
from typing import Annotated

import typer

from dynabench.app.cli.database import connected_settings
from dynabench.app.listening import SERVER_THREADS
from dynabench.app.renewal import RENEWED
from dynabench.kit.settings import EvaluationEngine


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(server)
    app.command()(worker)


def server() -> None:
    """Run a web server alone; it reads the DYNABENCH_ variables."""
    # Before anything that reads them is loaded.
    os.environ.update({**SERVER_THREADS, **os.environ})
    # Loaded here, so that a worker does not load the web server and the other way round.
    from dynabench.app.server.__main__ import main  # noqa: PLC0415

    with connected_settings(is_lasting=True, may_be_new=True) as settings:
        os.environ["DYNABENCH_DATABASE_URL"] = str(settings.database_url)
        raise typer.Exit(main())


def worker(
    *,
    engine: Annotated[
        EvaluationEngine | None,
        typer.Option(help="Where models are evaluated: on this machine, or on a Ray cluster."),
    ] = None,
    ray_address: Annotated[
        str | None, typer.Option(help="The cluster's head, host:port; default: a Ray started here.")
    ] = None,
) -> None:
    """Run a worker for jobs alone; start as many as you like, on any machine."""
    if engine is not None:
        os.environ["DYNABENCH_EVALUATION_ENGINE"] = engine
    if ray_address is not None:
        os.environ["DYNABENCH_RAY_ADDRESS"] = ray_address
    # The same.
    from dynabench.app.worker.__main__ import main  # noqa: PLC0415

    environment = dict(os.environ)
    with connected_settings(is_lasting=True, may_be_new=True) as settings:
        os.environ["DYNABENCH_DATABASE_URL"] = str(settings.database_url)
        status = main()
    if status == RENEWED:
        # The same process begins anew, with nothing of what it held.
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)  # noqa: S606
    raise typer.Exit(status)
