"""The product as an operator runs it: its server in a process, a real database, real targets."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from dynabench.app.wiring import Wiring, wire
from dynabench.client.client import DynabenchClient
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.store import Digest
from dynabench.kit.settings import Settings
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import Submission
from dynabench.loop.rounds.schemas import RoundCreate, RoundRead, ValidationRule
from dynabench.loop.rounds.values import ValidationMode
from dynabench.loop.tasks.lookup.service import parse_config
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.training.learners.service import Learners
from dynabench.loop.training.provenance.rules import describe_source
from dynabench.loop.training.provenance.values import Lineage
from dynabench.loop.training.rules import choose_recipe, summarise
from dynabench.loop.training.service import ignore_progress
from dynabench.loop.training.values import Origin
from dynabench.people.service import PeopleService
from tests.browser.tasks import PROMPTS, lessons, mood_config

PASSWORD = "correct horse battery"
ADMIN = "ada-admin"
OWNER = "olive"
EXPERT = "xenia"
ANNOTATOR = "ana"
VALIDATORS = ("vera", "viktor", "vida")
# Who is there for all tests: nobody of them is signed out or changed.
STANDING = (ADMIN, OWNER, EXPERT, ANNOTATOR, *VALIDATORS)
_START_SECONDS = 240.0
_STOP_SECONDS = 60.0

T = TypeVar("T")


@dataclass(frozen=True)
class MadeTask:
    """A task with its target, contexts and, unless told otherwise, an open round."""

    slug: str
    model_id: UUID
    round: RoundRead | None

    @property
    def path(self) -> str:
        """Return the address of its page."""
        return f"/tasks/{self.slug}"

    @property
    def open_round(self) -> RoundRead:
        """Return its round, which the test asked for."""
        assert self.round is not None
        return self.round


@dataclass(frozen=True)
class Installation:
    """A running product and the people in it; everything is made as they would make it.

    `target_files` is the one trained target that every task gets as a model of its own.
    """

    address: str
    settings: Settings
    target_files: Digest
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _clients: dict[str, DynabenchClient] = field(default_factory=dict)

    def client(self, username: str) -> DynabenchClient:
        """Return a program that is signed in as somebody."""
        if username not in self._clients:
            client = DynabenchClient(base_url=self.address, retries=0)
            client.account.sign_in(username, PASSWORD)
            self._clients[username] = client
        return self._clients[username]

    def close(self) -> None:
        """Close every program's connections."""
        for client in self._clients.values():
            client.close()

    def number(self) -> int:
        """Return a number that was not given out before."""
        return next(self._numbers)

    def make_person(self, name: str = "guest") -> str:
        """Make an account that only one test uses; returns its username."""
        username = f"{name}-{self.number()}"
        with DynabenchClient(base_url=self.address, retries=0) as client:
            client.account.sign_up(username, PASSWORD)
        return username

    def make_task(
        self,
        *,
        title: str = "Mood",
        warning: str = "",
        validation: ValidationRule | None = None,
        prompts: Sequence[str] = PROMPTS,
        is_open: bool = True,
        config: str | None = None,
        contexts: Sequence[dict[str, object]] | None = None,
    ) -> MadeTask:
        """Make a task with a trained target, contexts, people and an open round.

        Another config has the same output, and contexts of its own.
        """
        slug = f"mood-{self.number()}"
        config = config or mood_config(title=title, warning=warning)
        contents = contexts or [{"prompt": text} for text in prompts]
        model_id = self.run(_add_task(self.settings, slug, config, files=self.target_files))
        administrator = self.client(ADMIN)
        for username, role in ((OWNER, "owner"), (EXPERT, "expert")):
            administrator.members.set(slug, username, role=role)
        owner = self.client(OWNER)
        if contents:
            owner.contexts.upload(slug, [{"context": content} for content in contents])
        round_ = None
        if is_open:
            rule = validation or ValidationRule(quorum=2, maximum=3)
            body = RoundCreate(target_model_ids=(model_id,), validation=rule)
            round_ = owner.rounds.open(owner.rounds.create(slug, **dict(body)).id)
        return MadeTask(slug=slug, model_id=model_id, round=round_)

    def write(self, task: MadeTask, *texts: str, label: str = "positive") -> list[UUID]:
        """Have the annotator write examples, each about the next context."""
        ana = self.client(ANNOTATOR)
        made: list[UUID] = []
        seen: list[UUID] = []
        for text in texts:
            lent = ana.rounds.next_context(task.open_round.id, skip=seen)
            seen.append(lent.context.id)
            example = ana.examples.submit(
                task.open_round.id,
                context_id=lent.context.id,
                inputs={"statement": text},
                answer={"label": label},
            )
            made.append(example.id)
        # Counts them: pages that are opened at once show all of them, or none.
        ana.rounds.progress(task.open_round.id)
        return made

    @staticmethod
    def run(work: Coroutine[object, object, T]) -> T:
        """Run a coroutine where no other loop runs: the browser's holds this thread."""
        with ThreadPoolExecutor(max_workers=1) as thread:
            return thread.submit(asyncio.run, work).result()


BLIND = ValidationRule(mode=ValidationMode.BLIND, quorum=2, maximum=3)


async def _train(settings: Settings) -> Digest:
    """Train what answers in every task; what differs between them is nothing that it learns."""
    config = await parse_config(mood_config())
    learners = Learners(blobs=FolderBlobStore(settings.blobs_folder))
    return await learners.fit(
        choose_recipe(config, None),
        lessons(),
        config=summarise(config),
        seed=0,
        progress=ignore_progress,
    )


async def _add_task(settings: Settings, slug: str, config: str, *, files: Digest) -> UUID:
    """Make a task, and a model of it out of trained files; returns the model's id."""
    wiring = wire(settings)
    try:
        task = await wiring.get(TaskService).ensure(slug, config)
        recipe = choose_recipe(task.config, None)
        source = describe_source(Lineage(recipe=recipe, seed=0, origin=Origin()))
        submission = Submission(name="quick", digest=files, source=source)
        async with wiring.db.transaction() as session:
            model = await wiring.get(ModelService).register_handler(session, submission, task=task)
        return UUID(str(model.id))
    finally:
        await wiring.close()


async def _add_people(settings: Settings) -> None:
    wiring = wire(settings)
    try:
        await _make_accounts(wiring)
    finally:
        await wiring.close()


async def _make_accounts(wiring: Wiring) -> None:
    people = wiring.get(PeopleService)
    for username in STANDING:
        await people.create_user(username, password=PASSWORD, is_admin=username == ADMIN)


@contextmanager
def installed(*, database_url: str, home: Path) -> Iterator[Installation]:
    """Run the server in a process of its own until the block ends."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    settings = Settings(database_url=database_url, home=home, port=port, database_pool_size=5)
    environment = dict(os.environ) | {
        "DYNABENCH_DATABASE_URL": database_url,
        "DYNABENCH_HOME": str(home),
        "DYNABENCH_PORT": str(port),
        "DYNABENCH_LOG_LEVEL": "warning",
    }
    Installation.run(_add_people(settings))
    files = Installation.run(_train(settings))
    with (home / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "dynabench.app.server"],
            env=environment,
            stdout=log,
            stderr=log,
        )
        try:
            _wait(process, port=port, log=home / "server.log")
            installation = Installation(f"http://127.0.0.1:{port}", settings, files)
            yield installation
            installation.close()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=_STOP_SECONDS)


def _wait(process: "subprocess.Popen[bytes]", *, port: int, log: Path) -> None:
    started = time.monotonic()
    while True:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        has_ended = process.poll() is not None
        if has_ended or time.monotonic() - started > _START_SECONDS:
            message = f"the server did not start: {log.read_text(errors='replace')[-3000:]}"
            raise RuntimeError(message)
        time.sleep(0.05)
