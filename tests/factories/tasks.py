"""Tasks for tests: valid ones, of which a test names only what it is about."""

from itertools import count

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock, SystemClock
from dynabench.kit.db.database import Database
from dynabench.loop.tasks.members.repository import MemberRepository
from dynabench.loop.tasks.repository import TaskRepository
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus

NLI_CONFIG = """\
title: Inference
description: Does the premise make the hypothesis true?
context:
  - {name: premise, type: string}
input:
  - {name: hypothesis, type: string, placeholder: Write a sentence}
  - {name: label, type: multiclass, labels: [entailment, neutral, contradiction]}
output:
  - {name: label}
  - {name: prob, type: prob, reference_name: label}
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: macro_f1, reference_name: label}
"""

_numbers = count(1)


async def make_task(
    db: Database,
    *,
    slug: str | None = None,
    config: str = NLI_CONFIG,
    status: TaskStatus = TaskStatus.ACTIVE,
    is_open_to_everyone: bool = True,
    clock: Clock | None = None,
) -> Task:
    """Write a task, active and open to everyone unless the test says otherwise."""
    clock = clock or SystemClock()
    slug = slug or f"task-{next(_numbers)}"
    task = await TaskService(db, clock).ensure(slug, config)
    async with db.transaction() as session:
        tasks = TaskRepository(session)
        await tasks.change(task.id, is_open_to_everyone=is_open_to_everyone)
        if status is not TaskStatus.ACTIVE:
            await tasks.set_status(task.id, status, was={TaskStatus.ACTIVE}, now=clock.now())
    return await TaskService(db, clock).get(slug)


async def add_member(
    db: Database, task: Task, actor: Actor, role: TaskRole, *, clock: Clock | None = None
) -> None:
    """Give an actor a role in a task."""
    assert actor.user_id is not None
    async with db.transaction() as session:
        await MemberRepository(session).set_role(
            task.id, actor.user_id, role=role, added_at=(clock or SystemClock()).now()
        )
