"""A throw-away installation in processes of its own, and finding each of them to kill it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import psutil
from rich.console import Console

from benchmarks.product import Product
from dynabench.app.core_tasks import set_up_core_tasks
from dynabench.app.wiring import Wiring, wire
from dynabench.kit.actor import Actor
from dynabench.kit.settings import Settings
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.rounds.schemas import Controls, RoundCreate, ValidationRule
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.people.directory.service import UserDirectory
from dynabench.people.service import PeopleService

TASK = "sentiment"
ADMIN = "chaos-admin"
ADMIN_PASSWORD = "watches it all fall"
_START_SECONDS = 120.0


class Victim(StrEnum):
    """What is killed, in turn."""

    SERVER = "server"
    TARGET = "target worker"
    POSTMASTER = "postgres"
    WORKER = "worker"
    BACKEND = "postgres backend"


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _is(process: psutil.Process, victim: Victim) -> bool:
    try:
        command = process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False
    line = " ".join(command)
    if victim is Victim.SERVER:
        return line.endswith("-m dynabench.app.server")
    if victim is Victim.WORKER:
        return line.endswith("-m dynabench.app.worker")
    if victim is Victim.TARGET:
        return any(part.endswith("worker_main.py") for part in command)
    if victim is Victim.POSTMASTER:
        return bool(command) and command[0].endswith("bin/postgres")
    return line.startswith("postgres: dynabench")


def find(product: Product, victim: Victim) -> list[psutil.Process]:
    """Return the running processes of a kind."""
    try:
        everything = psutil.Process(product.process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
    return [process for process in everything if _is(process, victim)]


def kill(product: Product, victim: Victim) -> int | None:
    """Kill one process of a kind without warning; None if there is none at the moment."""
    for process in find(product, victim):
        try:
            process.send_signal(signal.SIGKILL)
        except psutil.NoSuchProcess:
            continue
        return process.pid
    return None


@contextmanager
def installed(home: Path) -> Iterator[Product]:
    """Run the whole product until the block ends, without core tasks; what it says is kept."""
    port = free_port()
    # As root the database runs as another account, which must be able to pass through.
    home.chmod(0o711)
    environment = dict(os.environ) | {
        "DYNABENCH_HOME": str(home / "dynabench"),
        "DYNABENCH_PORT": str(port),
    }
    environment.pop("DYNABENCH_DATABASE_URL", None)
    command = [sys.executable, "-m", "dynabench.app.cli.main", "up", "--no-core-tasks"]
    started = time.monotonic()
    with (home / "product.log").open("wb") as log:
        # The program is our own, and so are its options.
        process = subprocess.Popen(  # noqa: S603
            command, env=environment, stdout=log, stderr=log
        )
        try:
            while not _listens(port):
                if process.poll() is not None or time.monotonic() - started > _START_SECONDS:
                    message = f"the product did not start: {said(home)}"
                    raise RuntimeError(message)
                time.sleep(0.05)
            yield Product(port, home / "dynabench", process, time.monotonic() - started)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def said(home: Path, *, characters: int = 3000) -> str:
    """Return the end of what the product's processes said."""
    return (home / "product.log").read_text(errors="replace")[-characters:]


def _listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def connect(product: Product) -> Wiring:
    """Return the services over the running installation's database."""
    settings = Settings(database_url=product.database_url, home=product.home, database_pool_size=2)
    return wire(settings, application_name="chaos")


@dataclass(frozen=True)
class Scene:
    """The round that everybody plays in."""

    round_id: str
    context_ids: tuple[str, ...]


async def set_scene(product: Product) -> Scene:
    """Set one core task up with its trained target, and open a roomy round of it."""
    wiring = connect(product)
    try:
        people, rounds = wiring.get(PeopleService), wiring.get(RoundService)
        # The account whose rounds these are is the one that a start would make.
        await people.ensure_admin("admin")
        await people.create_user(ADMIN, password=ADMIN_PASSWORD, is_admin=True)
        await set_up_core_tasks(wiring, Console(quiet=True), slugs=[TASK])
        task = await wiring.get(TaskService).get(TASK)
        (starter,) = await rounds.of_task(task.id)
        admin = await _actor(wiring)
        await rounds.close(starter.id, actor=admin)
        rule = ValidationRule(quorum=3, maximum=5, share_of_others=0.2)
        body = RoundCreate(
            target_model_ids=starter.target_model_ids,
            max_tries=1000,
            validation=rule,
            controls=Controls(no_model_share=0.2),
        )
        draft = await rounds.create(task.slug, body, actor=admin, key=None)
        await rounds.open(draft.id, actor=admin)
        page = await wiring.get(ContextService).list(TASK, actor=admin, tag=None, cursor=None)
        return Scene(str(draft.id), tuple(str(one.id) for one in page.items))
    finally:
        await wiring.close()


async def _actor(wiring: Wiring) -> Actor:
    person = await wiring.get(UserDirectory).find(ADMIN)
    return Actor(user_id=person.id, username=person.username, is_admin=True)
