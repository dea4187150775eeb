"""`dynabench sandbox`: whether this machine can run other people's code, and how."""

import json

import typer

from dynabench.app.assembly.isolation import make_sandbox
from dynabench.app.cli.output import AsJson, notice, show_facts
from dynabench.engines.sandbox.values import IsolationReport
from dynabench.kit.errors import UnavailableError
from dynabench.kit.settings import Settings

_GIBIBYTE = 1024


class NoSandboxError(UnavailableError):
    """This machine cannot run uploaded code shut in."""

    code = "cli.no_sandbox"

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"Uploaded code is refused here: {reason}", reason=reason)


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("sandbox")(sandbox)


def sandbox(*, as_json: AsJson = False) -> None:
    """Show whether uploaded code can be run here, shut in, and what it may use.

    It is tried out with a small model. The exit status is 1 where nothing isolates.
    """
    settings = Settings.from_environment()
    report = make_sandbox(settings).report()
    if as_json:
        typer.echo(json.dumps(_facts(report), indent=2))
    elif report.reason is None:
        show_facts([(name.replace("_", " "), value) for name, value in _facts(report).items()])
        show_facts(_limits(settings))
    if report.reason is not None:
        if settings.trust_submitters:
            notice("DYNABENCH_TRUST_SUBMITTERS is set, so code is run without protection.")
        raise NoSandboxError(reason=report.reason)


def _facts(report: IsolationReport) -> dict[str, object]:
    return {
        "isolates": report.is_available,
        "reason": report.reason,
        "program": report.tool,
        "own_user": report.has_own_user,
        "filters_calls": report.filters_calls,
        "limits_held_by": None if report.memory is None else report.memory.value,
    }


def _limits(settings: Settings) -> list[tuple[str, object]]:
    return [
        ("memory", f"{settings.submission_memory_mb / _GIBIBYTE:g} GiB"),
        ("temporary files", f"{settings.submission_disk_mb} MiB"),
        ("processes and threads", settings.submission_processes),
        ("CPU time", f"{settings.submission_cpu_seconds:g} s"),
        ("time", f"{settings.submission_wall_seconds:g} s"),
    ]
