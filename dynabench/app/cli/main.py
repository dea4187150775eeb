"""The command `dynabench`.

Only the module of the command that was typed is loaded, so that `dynabench up` stays small
for as long as it runs; the help loads them all.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

import typer

from dynabench.app.cli.output import OPERATOR_PANEL, complain
from dynabench.kit.errors import DynabenchError, InvalidError, UnavailableError

_FAILED = 1
_INTERRUPTED = 130
_SERVER_PACKAGES = ("sqlalchemy", "fastapi", "uvicorn", "psycopg")

_EPILOG = """
**First steps**

Run everything on this machine: `dynabench up`

Sign in from a terminal: `dynabench login`

Collect against your own model: `dynabench round open nli --close-current --target http://127.0.0.1:9000/v2/models/mine`

See how often it was fooled: `dynabench round show nli`

Take the data with you: `dynabench export nli -o round.jsonl`

The server is the one of the last login, or `DYNABENCH_URL`. Instead of a login,
`DYNABENCH_API_KEY` may hold a token.
"""


@dataclass(frozen=True)
class _Chapter:
    """A module of commands, with the names that it adds."""

    module: str
    names: tuple[str, ...]
    needs_server: bool = False


_CHAPTERS = (
    _Chapter("tasks", ("task",)),
    _Chapter("proposals", ("proposals",)),
    _Chapter("contexts", ("contexts",)),
    _Chapter("models", ("model",)),
    _Chapter("rounds", ("round",)),
    _Chapter("datasets", ("export", "dataset")),
    _Chapter("releases", ("release",)),
    _Chapter("trainings", ("train", "recipes")),
    _Chapter("scores", ("evaluate", "scores")),
    _Chapter("boards", ("board",)),
    _Chapter("reports", ("report",)),
    _Chapter("evaluations", ("evaluations",)),
    _Chapter("jobs", ("job",)),
    _Chapter("sign_in", ("login", "logout", "whoami", "token")),
    _Chapter("up", ("up",), needs_server=True),
    _Chapter("processes", ("server", "worker"), needs_server=True),
    _Chapter("practice", ("practice-server",)),
    _Chapter("users", ("user",), needs_server=True),
    _Chapter("db", ("db",), needs_server=True),
    _Chapter("replay", ("replay",), needs_server=True),
    _Chapter("isolation", ("sandbox",), needs_server=True),
    _Chapter("study", ("study",), needs_server=True),
)


class ServerNotInstalledError(UnavailableError):
    """An operator's command was typed where only the client is installed."""

    code = "cli.server_not_installed"

    def __init__(self, *, command: str) -> None:
        super().__init__(
            f"dynabench {command} runs the server, and only the client is installed here. "
            "Install the rest: pip install 'dynabench[server]'",
            command=command,
        )


def is_server_installed() -> bool:
    """Tell whether the packages of the server are there, without loading them."""
    return all(find_spec(package) is not None for package in _SERVER_PACKAGES)


def assemble(arguments: Sequence[str]) -> typer.Typer:
    """Return the command line with what these arguments need of it."""
    app = typer.Typer(
        name="dynabench",
        no_args_is_help=True,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Dynamic adversarial benchmarking: people write examples that fool a live model, "
        "others validate them, models are ranked on what comes out.",
        epilog=_EPILOG,
    )
    app.callback()(_root)
    typed = next((word for word in arguments if not word.startswith("-")), None)
    known = {name for chapter in _CHAPTERS for name in chapter.names}
    for chapter in _CHAPTERS:
        if typed not in known or typed in chapter.names:
            _add(app, chapter)
    return app


def run(arguments: Sequence[str]) -> int:
    """Carry a command out and return its exit status: 0 done, 1 failed, 2 typed wrongly."""
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


def main() -> None:
    """Run `dynabench` with what was typed."""
    sys.exit(run(sys.argv[1:]))


def _root() -> None:
    """Take no options of its own; its presence keeps a lone command under its name."""


def _add(app: typer.Typer, chapter: _Chapter) -> None:
    name = f"{__package__}.{chapter.module}"
    if find_spec(name) is None:
        return
    if chapter.needs_server and not is_server_installed():
        for command in chapter.names:
            _add_missing(app, command)
        return
    import_module(name).register(app)


def _add_missing(app: typer.Typer, command: str) -> None:
    def missing() -> None:
        raise ServerNotInstalledError(command=command)

    app.command(
        command,
        help="Not installed here: pip install 'dynabench[server]'",
        rich_help_panel=OPERATOR_PANEL,
        add_help_option=True,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    )(missing)


if __name__ == "__main__":
    main()
