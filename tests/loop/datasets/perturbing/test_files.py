"""Whose files an owner's own variants are read from."""

from pathlib import Path

import pytest

from dynabench.kit.db.database import Database
from dynabench.loop.datasets.errors import DatasetFileMissingError
from dynabench.loop.datasets.perturbing.schemas import PerturbationCreate
from dynabench.loop.datasets.perturbing.values import PerturbationOrder
from dynabench.loop.tasks.values import TaskRole
from dynabench.science.perturbations.values import TransformKind
from tests.conftest import HeldClock
from tests.factories.dataset_files import Uploads, as_lines, ignore, rows
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task


async def test_variants_that_were_sent_for_another_task_are_refused(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    uploads = Uploads.over(database, clock, folder=tmp_path)
    task, owner = await make_task(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    version_id = (await uploads.bring(task, as_lines(rows(3)))).dataset_version_id
    assert version_id is not None
    file = await uploads.send(await make_task(database), as_lines([{"original_uid": "item-0"}]))
    body = PerturbationCreate(kind=TransformKind.ROBUSTNESS, file=file)
    with pytest.raises(DatasetFileMissingError):
        await uploads.perturbations.create(version_id, body, actor=owner, key=None)
    order = PerturbationOrder(version_id=version_id, kind=body.kind, file=file)
    with pytest.raises(DatasetFileMissingError):
        await uploads.perturber.run(order, created_by=None, progress=ignore)
