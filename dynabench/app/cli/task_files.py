"""`dynabench task export` and `import`: a whole task from one installation to another."""

from pathlib import Path
from typing import Annotated

import typer

from dynabench.app.cli.main import ServerNotInstalledError, is_server_installed
from dynabench.kit.errors import InvalidError

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", dir_okay=False, help="Where to; TASK.zip by default."),
]


def register(tasks: typer.Typer) -> None:
    """Add these commands."""
    tasks.command("export")(export_task)
    tasks.command("import")(import_task)


def export_task(
    *,
    slug: Annotated[str, typer.Argument(metavar="TASK", help="The task's short name.")],
    out: Out = None,
    with_names: Annotated[
        bool, typer.Option("--with-names", help="Let people's names travel; else ids alone.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
) -> None:
    """Write a whole task into one file, for another installation (on the server).

    Everything of it travels: configs, rounds, every attempt and vote, datasets with their
    digests, what models scored, saved boards, pictures and sounds. **Passwords, addresses of
    models, keys and, unless asked for, names do not.** Models arrive as names with scores: to
    ask them there, hand them in there.

    The same task gives the same bytes, so that two files can be compared by their digest.

    It reads the database in `DYNABENCH_DATABASE_URL`, else the embedded one.
    """
    _require_server("task export")
    target = out or Path(f"{slug}.zip")
    if target.exists() and not force:
        raise InvalidError(f"{target} is already there. Choose another name, or add --force.")
    if not target.parent.is_dir():
        raise InvalidError(f"There is no folder {target.parent}. Make it, or choose another --out.")
    # Loads the server, which no other command about tasks needs.
    from dynabench.app.cli.moves import export  # noqa: PLC0415

    export(slug, target, has_names=with_names)


def import_task(
    *,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="An exported task."),
    ],
    slug: Annotated[
        str | None, typer.Option("--slug", metavar="TASK", help="What to call it here.")
    ] = None,
    copy: Annotated[
        bool, typer.Option("--copy", help="Into the installation it came from: with new ids.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check the file and tell what is in it; no more.")
    ] = False,
) -> None:
    """Read a whole task from a file that `dynabench task export` wrote (on the server).

    The file is looked over to its end before anything is written, and then all of it is there
    or nothing. What is derived from votes and answers is computed anew and must agree.

    People of the other installation become pseudonyms that nobody can sign in as; nobody is
    matched by name. An administrator owns the task until somebody is made its owner:
    `dynabench user list` shows who is here.
    """
    _require_server("task import")
    # The same as above.
    from dynabench.app.cli.moves import bring, look  # noqa: PLC0415

    if dry_run:
        look(file)
    else:
        bring(file, slug=slug, is_copy=copy)


def _require_server(command: str) -> None:
    if not is_server_installed():
        raise ServerNotInstalledError(command=command)
