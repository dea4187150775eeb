"""`dynabench doctor`: what is missing or wrong, and what to do about it."""

import json
from dataclasses import asdict

import typer

from dynabench.app.cli.output import AsJson, harmless
from dynabench.app.doctor.looking import look
from dynabench.app.doctor.values import Finding, State, worst
from dynabench.kit.logging import configure_logging
from dynabench.kit.settings import LogLevel

_NAME_WIDTH = 12


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("doctor")(doctor)


def doctor(*, as_json: AsJson = False) -> None:
    """Look at machine, settings and database, and say what is missing and what to do.

    It works while the server runs and while it does not. The exit status is 1 where something
    is a problem, and 0 where there are warnings at most.
    """
    configure_logging(level=LogLevel.ERROR)
    found: list[Finding] = []
    for finding in look():
        found.append(finding)
        if not as_json:
            _tell(finding)
    state = worst(found)
    if as_json:
        shown = {"state": state, "findings": [asdict(finding) for finding in found]}
        typer.echo(json.dumps(shown, indent=2))
    raise typer.Exit(1 if state is State.PROBLEM else 0)


def _tell(finding: Finding) -> None:
    typer.echo(harmless(f"{finding.state:<8} {finding.name:<{_NAME_WIDTH}} {finding.says}"))
    if finding.do:
        typer.echo(harmless(f"{'':<8} {'':<{_NAME_WIDTH}} → {finding.do}"))
