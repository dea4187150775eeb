"""`make demo`: a fresh installation, played through its public API from task to table.

Nothing here touches the database: the server, the worker and the database run as they
would for anybody, and the scripted people are clients like any other.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from dynabench.app.core_tasks import CORE_TASKS
from dynabench.app.demo.people import VALIDATORS, WRITERS
from dynabench.app.demo.play import PlayedRound, TaskPlay
from dynabench.app.demo.report import print_rounds, print_scores, write_json
from dynabench.app.listening import PortTakenError, require_free_port
from dynabench.client.client import DynabenchClient
from dynabench.kit.errors import DynabenchError
from dynabench.kit.settings import Settings
from dynabench.loop.evaluations.schemas import ScoreRead
from dynabench.loop.rounds.values import RoundStatus

_START_SECONDS = 300
_SCORE_SECONDS = 300
_PASSWORD = "played by a script"  # noqa: S105 - accounts of a throw-away installation


@contextmanager
def _running(home: Path, *, port: int, console: Console) -> Iterator[str]:
    """Run the product in a home of its own until the block ends."""
    address = f"http://127.0.0.1:{port}"
    environment = dict(os.environ) | {"DYNABENCH_HOME": str(home), "DYNABENCH_PORT": str(port)}
    environment.pop("DYNABENCH_DATABASE_URL", None)
    command = [sys.executable, "-m", "dynabench.app.cli.main", "up"]
    process = subprocess.Popen(command, env=environment)  # noqa: S603
    try:
        _wait_until_ready(address, process, console)
        yield address
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def _wait_until_ready(address: str, process: "subprocess.Popen[bytes]", console: Console) -> None:
    started = time.monotonic()
    with console.status("Starting the database, training the targets, starting the server …"):
        while time.monotonic() - started < _START_SECONDS:
            if process.poll() is not None:
                console.print("[red]The server did not start; see above.[/]")
                sys.exit(1)
            try:
                with DynabenchClient(base_url=address, retries=0) as client:
                    client.account.get()
            except DynabenchError:
                time.sleep(0.2)
                continue
            return
    console.print("[red]The server did not start in time.[/]")
    sys.exit(1)


def _sign_everyone_in(
    address: str, home: Path
) -> tuple[DynabenchClient, dict[str, DynabenchClient]]:
    owner = DynabenchClient(base_url=address)
    owner.account.sign_in("admin", (home / "admin-password").read_text(encoding="utf-8").strip())
    people = {}
    for name in (*WRITERS, *VALIDATORS):
        people[name] = DynabenchClient(base_url=address)
        people[name].account.sign_up(
            name, _PASSWORD, display_name=f"{name.capitalize()} (scripted)"
        )
    return owner, people


def _play_task(play: TaskPlay, owner: DynabenchClient, task: str) -> list[PlayedRound]:
    """Play two rounds of a task, with a release and a new model in between."""
    first_round = next(
        round_ for round_ in owner.rounds.list(task) if round_.status is RoundStatus.OPEN
    )
    first = play.play(first_round)
    dataset = play.release(first)
    model_id = play.retrain(dataset)
    second = play.play(play.open_round(model_id, after=first))
    play.release(second)
    return [first, second]


def _scores_of(owner: DynabenchClient, task: str) -> list[ScoreRead]:
    """Wait until both models are scored on both rounds."""
    wanted = 4
    started = time.monotonic()
    while True:
        scores = owner.evaluations.scores(task)
        chosen = {
            (score.model_id, score.round_number)
            for score in scores
            if score.is_principal and score.split == "test"
        }
        if len(chosen) >= wanted or time.monotonic() - started > _SCORE_SECONDS:
            return scores
        time.sleep(0.3)


def _play(address: str, home: Path, *, seed: int, console: Console, json: Path | None) -> None:
    owner, people = _sign_everyone_in(address, home)
    played: list[PlayedRound] = []
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        for task in CORE_TASKS:
            line = progress.add_task(task, total=1.0)

            def say(
                doing: str, done: float, total: float, *, line: TaskID = line, task: str = task
            ) -> None:
                progress.update(line, description=f"{task}: {doing}", completed=done, total=total)

            play = TaskPlay(task, owner=owner, people=people, seed=seed, say=say)
            played += _play_task(play, owner, task)
            progress.update(line, description=f"{task}: two rounds played", completed=1, total=1)
    scores = {task: _scores_of(owner, task) for task in CORE_TASKS}
    print_rounds(played)
    print_scores(scores)
    if json is not None:
        write_json(json, seed=seed, played=played, scores=scores)
        console.print(f"The same numbers are in {json}.")
    for client in (owner, *people.values()):
        client.close()


def main() -> int:
    """Play; returns the exit status for the shell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the numbers here and exit")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other rates")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--home", type=Path, default=None, help="a folder of its own")
    arguments = parser.parse_args()
    console = Console()
    try:
        # Before anything, so that nobody plays on a server that is there already.
        require_free_port(Settings(port=arguments.port))
    except PortTakenError:
        console.print(
            f"Port {arguments.port} is taken, perhaps by a Dynabench that is running. Stop it, "
            f"or play elsewhere: python -m dynabench.app.demo --port {arguments.port + 1}",
            style="red",
        )
        return 1
    base = Path(os.environ.get("DYNABENCH_HOME", ".dynabench"))
    home = (arguments.home or base.with_name(base.name + "-demo")).absolute()
    # A demo always begins with an empty installation, so that its numbers depend on the seed.
    shutil.rmtree(home, ignore_errors=True)
    with _running(home, port=arguments.port, console=console) as address:
        _play(address, home, seed=arguments.seed, console=console, json=arguments.json)
        if arguments.json is None:
            secret = home / "admin-password"
            console.print(f"Have a look: {address} – admin, password in {secret}. Ctrl-C ends it.")
            try:
                signal.pause()
            except KeyboardInterrupt:
                console.print("Ending …")
    return 0


if __name__ == "__main__":
    sys.exit(main())
