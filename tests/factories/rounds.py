"""Rounds for tests: open ones with one target, of which a test names only what it is about."""

from dataclasses import replace

from dynabench.kit.clock import Clock, SystemClock
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.loop.rounds.repository import RoundRepository
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import NewRound, Round, RoundPlan, RoundStatus
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from tests.factories.models import make_model, make_model_service


def make_round_service(db: Database, clock: Clock | None = None) -> RoundService:
    """Put the service together."""
    clock = clock or SystemClock()
    return RoundService(
        db=db,
        clock=clock,
        tasks=TaskService(db, clock),
        models=make_model_service(db, clock),
    )


async def make_round(
    db: Database,
    task: Task,
    *,
    status: RoundStatus = RoundStatus.OPEN,
    plan: RoundPlan | None = None,
    number: int | None = None,
    is_replay: bool = False,
    clock: Clock | None = None,
) -> Round:
    """Write a round, open and with one target unless the test says otherwise."""
    plan = plan or RoundPlan()
    if not plan.target_model_ids:
        plan = replace(plan, target_model_ids=((await make_model(db, task)).id,))
    now = (clock or SystemClock()).now()
    round_id = new_id()
    is_past_draft = status is not RoundStatus.DRAFT
    is_over = is_past_draft and status is not RoundStatus.OPEN
    async with db.transaction() as session:
        repository = RoundRepository(session)
        await repository.add(
            NewRound(
                id=round_id,
                task_id=task.id,
                number=number or await repository.next_number(task.id),
                status=status,
                config_version=task.config_version,
                is_replay=is_replay,
                created_by=None,
                created_at=now,
                opened_at=now if is_past_draft else None,
                closed_at=now if is_over else None,
            ),
            plan=plan,
        )
        if status is RoundStatus.RELEASED:
            await repository.release(round_id, now=now)
        found = await repository.get(round_id)
    assert found is not None
    return found
