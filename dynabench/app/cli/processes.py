"""`dynabench server` and `dynabench worker`: one process each, for more than one machine."""

import os

import typer

from dynabench.app.cli.database import connected_settings
from dynabench.app.cli.output import OPERATOR_PANEL


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(rich_help_panel=OPERATOR_PANEL)(server)
    app.command(rich_help_panel=OPERATOR_PANEL)(worker)


def server() -> None:
    """Run a web server alone; it reads the DYNABENCH_ variables."""
    # Loaded here, so that a worker does not load the web server and the other way round.
    from dynabench.app.server.__main__ import main  # noqa: PLC0415

    with connected_settings(is_lasting=True, may_be_new=True) as settings:
        os.environ["DYNABENCH_DATABASE_URL"] = str(settings.database_url)
        raise typer.Exit(main())


def worker() -> None:
    """Run a worker for jobs alone; start as many as you like, on any machine."""
    # The same.
    from dynabench.app.worker.__main__ import main  # noqa: PLC0415

    with connected_settings(is_lasting=True, may_be_new=True) as settings:
        os.environ["DYNABENCH_DATABASE_URL"] = str(settings.database_url)
        raise typer.Exit(main())
