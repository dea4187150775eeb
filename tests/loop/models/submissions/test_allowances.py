"""What a person may still submit, told before a form is filled in."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from dynabench.kit.actor import VISITOR, SignInRequiredError
from dynabench.kit.db.database import Database
from dynabench.loop.models.submissions.allowances.service import AllowanceService
from dynabench.loop.models.submissions.errors import CodeRefusedError
from dynabench.loop.models.submissions.values import SubmissionLimits
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import ModelIsolation, ModelStatus
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskStatus
from tests.conftest import HeldClock
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.tasks import make_task

_LIMITS = SubmissionLimits(max_bytes=1000, per_day=10, spool=Path("/nonexistent"))


def _refuse() -> ModelIsolation:
    raise CodeRefusedError(reason="bubblewrap is not installed.")


async def test_an_allowance_counts_the_days_own_submissions_and_says_why_code_is_refused(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    person, draft = await make_user(database), await make_task(database, status=TaskStatus.DRAFT)
    for name, hours in (("new", 1), ("old", 30)):
        made = await make_model(database, task, name=name)
        async with database.transaction() as session:
            await session.execute(
                update(models)
                .where(models.c.id == made.id)
                .values(submitted_by=person.user_id, passed_at=clock.now() - timedelta(hours=hours))
            )
    await make_model(database, task, status=ModelStatus.SUBMITTED)
    service = AllowanceService(
        db=database,
        clock=clock,
        tasks=TaskService(database, clock),
        limits=_LIMITS,
        isolate=_refuse,
    )
    found = await service.read(task.slug, actor=person)
    assert (found.passed, found.waiting, found.per_day, found.max_bytes) == (1, 0, 10, 1000)
    assert found.code_refusal is not None
    assert "bubblewrap is not installed" in found.code_refusal
    with pytest.raises(SignInRequiredError):
        await service.read(task.slug, actor=VISITOR)
    with pytest.raises(TaskNotFoundError):
        await service.read(draft.slug, actor=person)
