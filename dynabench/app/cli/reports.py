"""`dynabench report`: a model's results, signed; and the check of such a file, offline."""

import json
from pathlib import Path
from typing import Annotated

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import say, show_facts
from dynabench.engines.signing.documents import Verified, verify
from dynabench.engines.signing.errors import DocumentRefusedError
from dynabench.kit.errors import InvalidError

_VERIFY = "verify"
_MAX_BYTES = 64 * 1024 * 1024


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(
        epilog="Sign: dynabench report nli/my-model -o report.json. "
        "Check: dynabench report verify report.json"
    )(report)


def report(
    *,
    model: Annotated[
        str, typer.Argument(metavar="MODEL|verify", help="TASK/NAME or a model's id; or `verify`.")
    ],
    file: Annotated[
        Path | None, typer.Argument(help="With `verify`: the file to check, without a server.")
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="The model's task, where MODEL is a name.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; else the terminal.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            help="With `verify`: the key that must have signed it, as its installation shows it."
        ),
    ] = None,
) -> None:
    """Write a model's results as a signed file, or check such a file.

    The file holds the model's and the datasets' digests, the code version, the machine and
    every metric with its interval. `dynabench report verify FILE` needs no server and ends
    with status 1 if anything was changed.
    """
    if model == _VERIFY:
        if file is None:
            raise InvalidError("Name the file to check: dynabench report verify FILE")
        _verify(file, key=key)
        return
    if file is not None:
        raise InvalidError(f"Write to a file with --output: dynabench report {model} -o {file}")
    _make(model, task=task, output=output)


def _make(model: str, *, task: str | None, output: Path | None) -> None:
    with open_client() as client:
        found = client.models.get(model if task is None else f"{task}/{model}")
        signed = client.models.report(found.id)
    text = signed.model_dump_json(indent=2) + "\n"
    if output is None:
        typer.echo(text, nl=False)
        return
    output.write_text(text, encoding="utf-8")
    say(f"{output} holds the results of {found.name} v{found.version}.")
    say(f"Signed by the key {signed.public_key}.")


def _verify(file: Path, *, key: str | None) -> None:
    with file.open("rb") as opened:
        data = opened.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise DocumentRefusedError(reason="it is larger than 64 MiB.")
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DocumentRefusedError(reason="it is no JSON file.") from error
    found = verify(document, public_key=key)
    say("Genuine: nothing was changed since it was signed.")
    show_facts(_facts(found))
    if key is None:
        say("Compare the key with the installation's: its address and /api/v1/signing-key.")


def _facts(found: Verified) -> list[tuple[str, object]]:
    content = found.content
    model, code, datasets = (content.get(name) for name in ("model", "code", "datasets"))
    facts: list[tuple[str, object]] = [("signed by", found.public_key)]
    facts.append(("made at", content.get("made_at")))
    if isinstance(model, dict):
        facts += [
            ("model", f"{model.get('name')} v{model.get('version')}"),
            ("model digest", model.get("digest")),
        ]
    if isinstance(code, dict):
        facts.append(("code", f"{code.get('version')} ({code.get('source_digest')})"))
    for dataset in datasets if isinstance(datasets, list) else []:
        if isinstance(dataset, dict):
            facts.append((f"on {dataset.get('name')}", dataset.get("digest")))
    return facts
