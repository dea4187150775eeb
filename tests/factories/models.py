"""Models for tests: ready ones with a fake behind them, and the service that asks them."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from uuid import UUID

from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.host import ModelHost
from dynabench.engines.inference.protocol import (
    FakeTargetModel,
    ModelInput,
    TargetModel,
    TargetSpec,
    digest_of,
)
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.store import BlobStore
from dynabench.kit.clock import Clock, SystemClock
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.loop.models.addresses.service import TargetAccess
from dynabench.loop.models.repository import ModelRepository
from dynabench.loop.models.rules import spec_for
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import Model, ModelKind, ModelStatus
from dynabench.loop.models.views.service import ModelViews
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.people.directory.service import UserDirectory

_numbers = count(1)


def always(**outputs: object) -> TargetFactory:
    """Return a factory of fakes that give one answer, whatever they are asked."""

    def rule(model_input: ModelInput) -> Mapping[str, object]:
        del model_input
        return outputs

    def build(spec: TargetSpec) -> TargetModel:
        return FakeTargetModel(rule, name=spec.name, output_names=spec.output_names)

    return build


def make_model_service(
    db: Database,
    clock: Clock | None = None,
    *,
    factory: TargetFactory | None = None,
    allowed_hosts: frozenset[str] = frozenset(),
    blobs: BlobStore | None = None,
) -> ModelService:
    """Put the service together; its models answer `label: neutral` unless a test says how."""
    clock = clock or SystemClock()
    factory = factory or always(label="neutral")
    return ModelService(
        db=db,
        clock=clock,
        tasks=TaskService(db, clock),
        views=ModelViews(db=db, directory=UserDirectory(db, clock), queue=JobQueue()),
        access=TargetAccess(
            host=ModelHost(factory=factory),
            factory=factory,
            blobs=blobs or FolderBlobStore(Path("/nonexistent")),
            allowed_hosts=allowed_hosts,
        ),
        queue=JobQueue(),
    )


async def make_model(
    db: Database,
    task: Task,
    *,
    name: str | None = None,
    version: int = 1,
    kind: ModelKind = ModelKind.ENDPOINT,
    status: ModelStatus = ModelStatus.READY,
    is_published: bool = True,
    is_anonymous: bool = False,
    submitted_by: UUID | None = None,
    clock: Clock | None = None,
) -> Model:
    """Write a model, ready and published unless the test says otherwise."""
    name = name or f"model-{next(_numbers)}"
    spec = spec_for(
        task.config,
        kind=kind,
        name=name,
        options={"url": "https://models.example.org", "model": name},
    )
    model = Model(
        id=new_id(),
        task_id=task.id,
        name=name,
        version=version,
        kind=kind,
        status=status,
        rejection=None,
        source={"spec": spec.to_json()},
        digest=digest_of({"name": name, "version": version}),
        description="",
        submitted_by=submitted_by,
        created_at=(clock or SystemClock()).now(),
        is_published=is_published,
        is_anonymous=is_anonymous,
    )
    async with db.transaction() as session:
        await ModelRepository(session).add(model)
    return model
