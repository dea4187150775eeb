"""`dynabench dataset download` and `open-test`: versions as one file, and their answers."""

from pathlib import Path
from typing import Annotated

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_dataset_version
from dynabench.app.cli.output import counted, moving_bytes, moving_share, say
from dynabench.app.cli.tasks import Slug
from dynabench.loop.datasets.archives.schemas import ArchiveRead

_Name = Annotated[
    str, typer.Argument(metavar="NAME", help="A dataset's name, of which the newest, or an id.")
]


def register(datasets: typer.Typer) -> None:
    """Add these commands to those of datasets."""
    datasets.command("download")(download_dataset)
    datasets.command("open-test")(open_test)


def download_dataset(
    *,
    slug: Slug,
    name: _Name,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="PATH", help="A file, or a folder for it."),
    ] = Path(),
) -> None:
    """Download a dataset as one zip; what broke off goes on where it was."""
    with open_client() as client:
        version_id = find_dataset_version(client, slug, name)
        with moving_share("Making the file") as move:

            def tell(archive: ArchiveRead) -> None:
                move(archive.progress or 0.0, archive.message)

            made = client.datasets.wait_for_archive(version_id, on_progress=tell)
        with moving_bytes(f"Downloading {made.file_name}") as moved:
            path = client.datasets.download(version_id, out, on_progress=moved)
    say(f"{path} holds {counted(len(made.files), 'file')}, {made.size_bytes:,} bytes.")
    say(f"sha256 {made.digest}")


def open_test(
    *,
    slug: Slug,
    name: _Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Give out the right answers of a dataset for good (owners)."""
    with open_client() as client:
        found = client.datasets.get(find_dataset_version(client, slug, name))
        if not yes:
            typer.confirm(
                f"Give out the right answers of {found.name} v{found.version}? Everybody who sees "
                "it can read them then, scores of later models mean less, and nothing takes "
                "it back",
                abort=True,
            )
        opened = client.datasets.open_test(found.id)
    assert opened.test_opened_at is not None
    since = opened.test_opened_at.date().isoformat()
    say(f"The right answers of {opened.name} v{opened.version} are given out since {since}.")
