"""The commands by name, with what the overview says of each.

The table is written out, so that the overview, a version or a mistyped word load no command;
a test compares it with the commands themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass

LOOP = "The loop"
ACCOUNT = "Your account"
OPERATOR = "Running a server (dynabench-platform[server])"

INSTALL_COMMANDS = "pip install 'dynabench-client[cli]'"
INSTALL_SERVER = "pip install 'dynabench-platform[server]'"


@dataclass(frozen=True)
class Chapter:
    """A module of commands: the heading it stands under, and each name with its summary."""

    module: str
    panel: str
    commands: Mapping[str, str]
    needs_server: bool = False


CHAPTERS = (
    Chapter("tasks", LOOP, {"task": "The questions put to models."}),
    Chapter(
        "proposals",
        LOOP,
        {"proposals": "Tasks that people propose and administrators decide about."},
    ),
    Chapter("contexts", LOOP, {"contexts": "What annotators write about."}),
    Chapter("models", LOOP, {"model": "Submitted models."}),
    Chapter("rounds", LOOP, {"round": "Periods of collection against fixed target models."}),
    Chapter(
        "datasets",
        LOOP,
        {
            "export": "Write a round's examples with all their votes as JSON lines (owners).",
            "dataset": "Frozen sets: bring, vary, list and download them.",
        },
    ),
    Chapter(
        "releases",
        LOOP,
        {"release": "Freeze a closed round as a dataset with train, dev and test splits (owners)."},
    ),
    Chapter(
        "trainings",
        LOOP,
        {
            "train": "Train a model on a task's data; it becomes a model of the task (owners). "
            "dynabench train TASK starts one.",
            "recipes": "List the ways to train a model for a task, and what can be set of each.",
        },
    ),
    Chapter(
        "scores",
        LOOP,
        {
            "evaluate": "Score a model on a dataset (owners).",
            "scores": "Show every model of a task on every dataset, with 95 % intervals.",
        },
    ),
    Chapter("boards", LOOP, {"board": "Models by the weights that you choose."}),
    Chapter(
        "reports",
        LOOP,
        {"report": "Write a model's results as a signed file, or check such a file."},
    ),
    Chapter("evaluations", LOOP, {"evaluations": "A model on every dataset."}),
    Chapter("jobs", LOOP, {"job": "Work that the server does in the background."}),
    Chapter("audit", LOOP, {"audit": "Show who changed what, newest first."}),
    Chapter(
        "sign_in",
        ACCOUNT,
        {
            "login": "Sign in, and keep an API token for this machine.",
            "logout": "Revoke this machine's token and forget it.",
            "whoami": "Tell who you are, and where.",
            "token": "Make, list and revoke API tokens.",
        },
    ),
    Chapter(
        "up",
        OPERATOR,
        {"up": "Run everything: database, server and worker, until Ctrl-C."},
        needs_server=True,
    ),
    Chapter(
        "processes",
        OPERATOR,
        {
            "server": "Run a web server alone; it reads the DYNABENCH_ variables.",
            "worker": "Run a worker for jobs alone; start as many as you like, on any machine.",
        },
        needs_server=True,
    ),
    Chapter(
        "practice",
        OPERATOR,
        {
            "practice-server": "Serve practice assistants and a practice judge as a chat "
            "completions server."
        },
    ),
    Chapter(
        "users",
        OPERATOR,
        {"user": "Accounts, straight from the database: works without a sign-in."},
        needs_server=True,
    ),
    Chapter(
        "db", OPERATOR, {"db": "The database: schema, and truth of its rows."}, needs_server=True
    ),
    Chapter(
        "backups",
        OPERATOR,
        {
            "backup": "Write the database, the files and the keys to a new folder, while all runs.",
            "restore": "Bring a backup back into an empty installation.",
        },
        needs_server=True,
    ),
    Chapter(
        "replay",
        OPERATOR,
        {"replay": "Import a collection made elsewhere into closed rounds, and compare."},
        needs_server=True,
    ),
    Chapter(
        "isolation",
        OPERATOR,
        {"sandbox": "Show whether uploaded code can be run here, shut in, and what it may use."},
        needs_server=True,
    ),
    Chapter(
        "doctor",
        OPERATOR,
        {
            "doctor": "Look at machine, settings and database, and say what is missing and what "
            "to do."
        },
        needs_server=True,
    ),
    Chapter(
        "study",
        OPERATOR,
        {
            "study": "Play rounds of collection from published data against a random control, "
            "and report."
        },
        needs_server=True,
    ),
)


def chapter_of(command: str) -> Chapter | None:
    """Return the chapter of a command's name, or None if there is no such command."""
    return next((chapter for chapter in CHAPTERS if command in chapter.commands), None)
