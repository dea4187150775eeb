"""`dynabench model test`: the server's checks, on the builder's machine."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dynabench.app.cli.model_look import look_over
from dynabench.app.cli.output import AsJson, counted, notice, say
from dynabench.kit.errors import InvalidError

if TYPE_CHECKING:
    from dynabench.loop.models.checks.values import CheckReport

_MIB = 1024 * 1024


class ModelTestFailedError(InvalidError):
    """The model would be rejected."""

    code = "cli.model_test_failed"


def check_files(
    *,
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", exists=True, help="A folder, a zip or tar.gz archive, or .onnx file."
        ),
    ],
    task: Annotated[
        str | None,
        typer.Option(
            "--task", metavar="TASK", help="As for `init`; left out: the one of dynabench.yaml."
        ),
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", help="Left out: that of dynabench.yaml or of the files.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a model as the server does before it takes it: same checks, same words.

    It runs in the sandbox where this machine has one. Without the server's packages it checks the
    files alone, and says what it skipped. The exit status is 1 for a model that would be
    rejected.
    """
    # Most commands do without what runs models, and it may not be installed.
    from dynabench.app.cli.main import is_server_installed  # noqa: PLC0415

    if not is_server_installed():
        look_over(path, task=task, kind=kind, as_json=as_json)
        return
    from dynabench.app.cli.model_trial import try_model  # noqa: PLC0415 - as above

    report = try_model(path, task=task, kind=kind)
    if as_json:
        typer.echo(json.dumps(_wire(report), indent=2, ensure_ascii=False))
    else:
        _show(report)
    if report.problems:
        raise ModelTestFailedError(
            f"{path} would be rejected: {counted(len(report.problems), 'problem')}."
        )


def _show(report: "CheckReport") -> None:
    for line in report.log.splitlines():
        notice(line)
    for warning in report.warnings:
        say(f"Note: {warning}")
    for problem in report.problems:
        say(str(problem))
    if report.has_passed:
        memory = report.memory_peak_bytes
        used = "" if memory is None else f", {memory / _MIB:,.0f} MiB of memory at most"
        asked = counted(report.asked, "input")
        say(f"It would be taken: {asked} asked in {report.seconds:.1f} s{used}.")


def _wire(report: "CheckReport") -> dict[str, object]:
    return {
        "passed": report.has_passed,
        "problems": [asdict(problem) for problem in report.problems],
        "warnings": list(report.warnings),
        "asked": report.asked,
        "seconds": round(report.seconds, 3),
        "memory_peak_bytes": report.memory_peak_bytes,
        "log": report.log,
    }
