"""The command `dynabench`.

Only the module of the command that was typed is loaded, so that an answer comes at once and
`dynabench up` stays small for as long as it runs.
"""

import os
import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from dynabench.app.cli.chapters import (
    CHAPTERS,
    INSTALL_COMMANDS,
    INSTALL_SERVER,
    Chapter,
    chapter_of,
)
from dynabench.app.cli.overview import answer
from dynabench.kit.errors import DynabenchError, InvalidError, UnavailableError

if TYPE_CHECKING:
    import typer

_FAILED = 1
_INTERRUPTED = 130
_COMMAND_PACKAGES = ("typer", "yaml")
# The first is our own: the client is installed without it.
_SERVER_PACKAGES = ("dynabench.app.server", "sqlalchemy", "fastapi", "uvicorn", "psycopg")
# The shell's completion asks by these variables, and types nothing.
_COMPLETING = "_DYNABENCH_COMPLETE"
_COMPLETED_WORDS = "COMP_WORDS"


class ServerNotInstalledError(UnavailableError):
    """An operator's command was typed where only the client is installed."""

    code = "cli.server_not_installed"

    def __init__(self, *, command: str) -> None:
        super().__init__(
            f"dynabench {command} runs the server, and only the client is installed here. "
            f"Install the rest: {INSTALL_SERVER}",
            command=command,
        )


def is_server_installed() -> bool:
    """Tell whether the packages of the server are there, without loading them."""
    return _are_there(_SERVER_PACKAGES)


def assemble(arguments: Sequence[str]) -> "typer.Typer":
    """Return the command line with what these arguments need of it.

    Without arguments it is whole. Otherwise the commands that were not typed are there by
    name and summary alone.
    """
    import typer  # noqa: PLC0415 - the overview does without

    app = typer.Typer(
        name="dynabench",
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    typed = chapter_of(arguments[0]) if arguments else None
    for chapter in CHAPTERS:
        if chapter is typed or not arguments:
            _add(app, chapter)
        else:
            _add_names(app, chapter)
    return app


def run(arguments: Sequence[str]) -> int:
    """Carry a command out and return its exit status: 0 done, 1 failed, 2 typed wrongly."""
    if _COMPLETING in os.environ:
        arguments = shlex.split(os.environ.get(_COMPLETED_WORDS, ""))[1:] or ["--help"]
    else:
        status = answer(arguments)
        if status is not None:
            return status
    if not _are_there(_COMMAND_PACKAGES):
        sys.stderr.write(
            "Error: Only the Python client is installed here. Install the commands: "
            f"{INSTALL_COMMANDS}\n"
        )
        return _FAILED
    return _carry_out(arguments)


def main() -> None:
    """Run `dynabench` with what was typed."""
    sys.exit(run(sys.argv[1:]))


def _carry_out(arguments: Sequence[str]) -> int:
    from dynabench.app.cli.output import complain  # noqa: PLC0415 - the overview does without

    try:
        # Typer ends with SystemExit in any case.
        assemble(arguments)(list(arguments), prog_name="dynabench")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else _FAILED
    except DynabenchError as error:
        complain(error)
        return _FAILED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        complain(InvalidError(f"{where}{error.strerror or error}."))
        return _FAILED
    except KeyboardInterrupt:
        return _INTERRUPTED
    return 0


def _root() -> None:
    """Take no options of its own; its presence keeps a lone command under its name."""


def _are_there(packages: Sequence[str]) -> bool:
    return all(find_spec(package) is not None for package in packages)


def _add(app: "typer.Typer", chapter: Chapter) -> None:
    if chapter.needs_server and not is_server_installed():
        for command in chapter.commands:
            _add_missing(app, command)
        return
    import_module(f"{__package__}.{chapter.module}").register(app)


def _add_names(app: "typer.Typer", chapter: Chapter) -> None:
    for name, summary in chapter.commands.items():
        app.command(name, help=summary)(_root)


def _add_missing(app: "typer.Typer", command: str) -> None:
    def missing() -> None:
        raise ServerNotInstalledError(command=command)

    app.command(
        command,
        help=f"Not installed here: {INSTALL_SERVER}",
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    )(missing)


if __name__ == "__main__":
    main()
