"""`dynabench export` and `dataset`: what comes out of rounds."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from dynabench.app.cli import archives, dataset_uploads
from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.dataset_uploads import VersionText
from dynabench.app.cli.finding import find_round
from dynabench.app.cli.media import save_media
from dynabench.app.cli.output import (
    AsJson,
    counted,
    moving_bytes,
    say,
    show_facts,
    show_json,
    show_table,
    written,
)
from dynabench.app.cli.rounds import Round
from dynabench.app.cli.tasks import Slug
from dynabench.kit.errors import InvalidError
from dynabench.loop.datasets.schemas import DatasetItemRead
from dynabench.loop.datasets.values import DatasetAccess, Split

datasets = typer.Typer(
    no_args_is_help=True,
    help="Frozen sets: bring, vary, list and download them.",
    epilog="dynabench dataset upload nli test.csv --name Mine --licence CC0 --split test",
)


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(export)
    app.add_typer(datasets, name="dataset")
    archives.register(datasets)
    dataset_uploads.register(datasets)


def export(
    *,
    round_: Round,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to; - prints it.")
    ],
    media: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", file_okay=False, help="Also write the pictures and sounds there."
        ),
    ] = None,
) -> None:
    """Write a round's examples with all their votes as JSON lines (owners)."""
    if media is not None and str(output) == "-":
        raise InvalidError("With --media, name a file with --output instead of -.")
    with open_client() as client:
        found = find_round(client, round_)
        if str(output) == "-":
            client.rounds.export(found.id, sys.stdout.buffer)
            return
        with moving_bytes(f"Exporting round {found.number}") as move:
            size = client.rounds.export(found.id, output, on_progress=move)
        say(f"Wrote {counted(size, 'byte')} to {output}.")
        if media is not None:
            files = save_media(client, output, folder=media)
            say(f"{media} holds {counted(files, 'file')} that the examples name.")


@datasets.command("list")
def list_datasets(*, slug: Slug, as_json: AsJson = False) -> None:
    """List a task's datasets, newest first."""
    with open_client() as client:
        found = client.datasets.list(slug)
    if as_json:
        show_json(found)
        return
    show_table(
        ["dataset", "from", "access", "splits", "licence", "id"],
        [
            (
                f"{version.name} v{version.version}",
                version.origin,
                version.access,
                ", ".join(f"{split.split} {split.items}" for split in version.splits),
                version.licence,
                version.id,
            )
            for version in found
        ],
        empty=f"{slug} has no datasets yet. Release a closed round: dynabench release {slug}",
    )


@datasets.command("show")
def show_dataset(
    *,
    version_id: VersionText,
    items: Annotated[int, typer.Option(min=0, max=200, help="Show so many items too.")] = 0,
    split: Annotated[Split, typer.Option(help="Of which part.")] = Split.TEST,
    as_json: AsJson = False,
) -> None:
    """Show a dataset version with its card, and its first items."""
    with open_client() as client:
        found = client.datasets.get(version_id)
        first = client.datasets.items(version_id, split, limit=items) if items else []
    if as_json:
        show_json(found)
        return
    show_facts(
        [
            ("dataset", f"{found.name} v{found.version}"),
            ("task", found.task_slug),
            ("from", found.origin),
            ("access", found.access),
            ("items", ", ".join(f"{one.split} {one.items}" for one in found.splits)),
            ("licence", found.licence),
            ("answers open since", found.test_opened_at),
            ("tags", ", ".join(found.tags)),
            ("column", found.subtask_of),
            ("digest", found.digest),
            ("about", found.card.get("description")),
        ]
    )
    if items:
        rows = [(one.uid, _texts(one), one.gold) for one in first]
        show_table(["uid", "item", "gold"], rows, empty=f"{split} is empty.")


@datasets.command("update")
def update_dataset(
    *,
    version_id: VersionText,
    access: Annotated[DatasetAccess | None, typer.Option(help="Who sees what.")] = None,
    tags: Annotated[list[str] | None, typer.Option("--tag", help="All its tags.")] = None,
    subtask_of: Annotated[
        str | None, typer.Option(help="Its column of the board; an empty one takes it away.")
    ] = None,
    licence: Annotated[str | None, typer.Option(help="Under which terms it may be used.")] = None,
    as_json: AsJson = False,
) -> None:
    """Change who sees what of a dataset, and what is said of it (owners)."""
    with open_client() as client:
        changed = client.datasets.update(
            version_id, access=access, tags=tags, subtask_of=subtask_of, licence=licence
        )
    if as_json:
        show_json(changed)
        return
    say(f"{changed.name} v{changed.version} is {changed.access}, {changed.licence}.")


@datasets.command("delete")
def delete_dataset(
    *,
    version_id: VersionText,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete an upload with its variants and scores, if no model learned from it (owners)."""
    with open_client() as client:
        found = client.datasets.get(version_id)
        if not yes:
            typer.confirm(
                f"{found.name} v{found.version} goes with its variants and scores. Snapshots "
                "keep what they froze. This cannot be undone. Delete it?",
                abort=True,
            )
        client.datasets.delete(version_id)
    say(f"{found.name} v{found.version} is deleted.")


@datasets.command("download-split")
def download_split(
    *,
    version_id: VersionText,
    split: Annotated[Split, typer.Argument(help="Which part.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to.")],
) -> None:
    """Write one split as JSON lines; gold that scores on the board is withheld."""
    with open_client() as client, moving_bytes(f"Downloading {split}") as move:
        size = client.datasets.download_split(version_id, split.value, output, on_progress=move)
    say(f"Wrote {counted(size, 'byte')} to {output}.")


def _texts(item: DatasetItemRead) -> str:
    values = {**item.context, **item.inputs}
    return " · ".join(f"{name}: {written(value)}" for name, value in values.items())
