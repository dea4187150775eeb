"""What the database says in figures. Nothing here says more of a round than its page does."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Row, Uuid, bindparam, text
from sqlalchemy.sql.elements import TextClause

from dynabench.app.monitoring.families import MOST_TASKS, OTHER_TASKS, Samples
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Session
from dynabench.loop.examples.values import EXAMPLE_CHANGED

# A draft is shown to its makers alone, so its name is in no figure.
# Only constants are put into the text.
_NAMED = f"""
    WITH named AS (
        SELECT id, CASE WHEN status <> 'draft'
                         AND row_number() OVER (ORDER BY status = 'draft', created_at, id)
                             <= {MOST_TASKS}
                        THEN slug ELSE '{OTHER_TASKS}' END AS task
          FROM tasks)
"""  # noqa: S608


def _of_tasks(query: str) -> TextClause:
    """Return a statement that knows tasks by what figures call them."""
    # Only the constants above are put into the text.
    return text(_NAMED + query)


# Where an author is shown no model, nobody learns whether it was fooled while others write.
_ATTEMPTS = _of_tasks(
    """
    SELECT n.task,
           coalesce(sum(d.collected) FILTER (WHERE d.arm <> 'no_model'), 0) AS collected,
           coalesce(sum(d.fooled) FILTER (WHERE d.arm <> 'no_model'), 0) AS fooled,
           coalesce(sum(d.undecided) FILTER (WHERE d.arm <> 'no_model'), 0) AS undecided,
           coalesce(sum(d.collected) FILTER (WHERE d.arm = 'no_model'), 0) AS control
      FROM annotator_days d
      JOIN rounds r ON r.id = d.round_id
      JOIN named n ON n.id = r.task_id
     GROUP BY n.task
    """
)
# What a blind vote says of the author's answer is told to nobody.
_VOTES = _of_tasks(
    """
    SELECT n.task,
           CASE WHEN r.validation_mode = 'blind' AND v.vote <> 'flagged'
                THEN 'answer' ELSE v.vote END AS vote,
           sum(v.votes) AS votes
      FROM (SELECT round_id, vote, count(*) AS votes FROM validations
             WHERE withdrawn_at IS NULL AND NOT is_expert GROUP BY round_id, vote) v
      JOIN rounds r ON r.id = v.round_id
      JOIN named n ON n.id = r.task_id
     GROUP BY 1, 2
    """
)
_WAITING = _of_tasks(
    """
    SELECT n.task, sum(w.waiting) AS waiting,
           greatest(0, extract(epoch FROM :now - min(w.oldest))) AS age
      FROM (SELECT round_id, count(*) AS waiting, min(example_created_at) AS oldest
              FROM outcomes WHERE verdict = 'pending' AND is_wanted GROUP BY round_id) w
      JOIN rounds r ON r.id = w.round_id AND r.status IN ('open', 'closed')
      JOIN named n ON n.id = r.task_id
     GROUP BY n.task
    """
)
_JOBS = text("SELECT name, state, count(*) AS jobs FROM jobs GROUP BY name, state")
_OLDEST_JOBS = text(
    "SELECT name, state, greatest(0, extract(epoch FROM now() - min("
    " CASE state WHEN 'queued' THEN created_at ELSE coalesce(started_at, created_at) END))) AS age"
    " FROM jobs WHERE state IN ('queued', 'running') GROUP BY name, state"
)
_FOLD = text(
    "SELECT count(*) AS waiting,"
    " coalesce(greatest(0, extract(epoch FROM now() - min(created_at))), 0) AS age"
    " FROM outbox WHERE consumer = :consumer"
)
_AUDIT = text("SELECT count(*) FROM audit_entries")
_SIZE = text("SELECT pg_database_size(current_database())")
_MODELS = _of_tasks(
    "SELECT m.id, n.task FROM models m JOIN named n ON n.id = m.task_id WHERE m.id = ANY(:ids)"
).bindparams(bindparam("ids", type_=ARRAY(Uuid)))


async def count_attempts(session: Session, _: Clock) -> Samples:
    """Return how many attempts were collected, by what came of them."""
    found = Samples()
    for row in await _rows(session, _ATTEMPTS):
        parts = {
            "fooled": row.fooled,
            # Also what was taken back: the rate divides by it.
            "not_fooled": row.collected - row.fooled - row.undecided,
            "undecided": row.undecided,
            "control": row.control,
        }
        for outcome, number in parts.items():
            found.put("attempts", float(number), row.task, outcome)
    return found


async def count_votes(session: Session, _: Clock) -> Samples:
    """Return how many votes were cast, by what they say."""
    found = Samples()
    for row in await _rows(session, _VOTES):
        found.put("votes", float(row.votes), row.task, row.vote)
    return found


async def count_waiting(session: Session, clock: Clock) -> Samples:
    """Return what waits for validators."""
    found = Samples()
    for row in await _rows(session, _WAITING, now=clock.now()):
        found.put("validation_waiting", float(row.waiting), row.task)
        found.put("validation_oldest_seconds", float(row.age), row.task)
    return found


async def count_jobs(session: Session, _: Clock) -> Samples:
    """Return how many jobs there are, and how long the oldest have waited or run."""
    found = Samples()
    for row in await _rows(session, _JOBS):
        found.put("jobs", float(row.jobs), row.name, row.state)
    for row in await _rows(session, _OLDEST_JOBS):
        found.put("jobs_oldest_seconds", float(row.age), row.name, row.state)
    return found


async def count_fold(session: Session, _: Clock) -> Samples:
    """Return how far counts are behind the rows that they are made of."""
    (row,) = await _rows(session, _FOLD, consumer=EXAMPLE_CHANGED)
    found = Samples()
    found.put("fold_waiting", float(row.waiting))
    found.put("fold_lag_seconds", float(row.age))
    return found


async def count_rows(session: Session, _: Clock) -> Samples:
    """Return how large the database and its audit trail are."""
    found = Samples()
    found.put("audit_entries", float((await session.execute(_AUDIT)).scalar_one()))
    found.put("database_bytes", float((await session.execute(_SIZE)).scalar_one()))
    return found


COUNTS: Sequence[Callable[..., Any]] = (
    count_attempts,
    count_votes,
    count_waiting,
    count_jobs,
    count_fold,
    count_rows,
)


async def tasks_of_models(session: Session, model_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return what the tasks of models are called in figures."""
    found = await session.execute(_MODELS, {"ids": list(model_ids)})
    return {row.id: row.task for row in found}


# SQLAlchemy types a row of chosen columns as Row[Any].
async def _rows(session: Session, statement: TextClause, **given: object) -> Sequence[Row[Any]]:
    return (await session.execute(statement, given)).all()
