"""`dynabench contexts`: what annotators write about."""

from pathlib import Path
from typing import Annotated

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import AsJson, counted, moving_bytes, say, show_json, show_table
from dynabench.app.cli.tasks import Slug

contexts = typer.Typer(
    no_args_is_help=True,
    help="What annotators write about.",
    epilog='A file has one object a line: {"context": {"premise": "…"}, "tag": "news"}. '
    "A CSV file has a column for each field, and perhaps `tag`. "
    'A picture or a sound is {"file": "pictures/a.png"} beside it, or {"url": "https://…"}.',
)


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(contexts, name="contexts")


@contexts.command("upload")
def upload_contexts(
    *,
    slug: Slug,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="JSON lines or CSV.")
    ],
) -> None:
    """Add contexts to a task; those already there are not doubled (owners)."""
    with open_client() as client, moving_bytes(f"Uploading {file.name}") as move:
        done = client.contexts.upload(slug, file, on_progress=move)
    there = f"{done.already_there:,} {'was' if done.already_there == 1 else 'were'} already there"
    say(f"Added {counted(done.added, 'context')} to {slug}; {there}.")


@contexts.command("tags")
def list_tags(*, slug: Slug, as_json: AsJson = False) -> None:
    """List the tags of a task's contexts."""
    with open_client() as client:
        found = client.contexts.tags(slug)
    if as_json:
        show_json(found)
        return
    show_table(
        ["tag", "contexts"],
        [(tag.tag, tag.contexts) for tag in found],
        empty=f"{slug} has no contexts yet. Add some: dynabench contexts upload {slug} FILE",
    )
