"""Votes for tests, cast through the service as a page would cast them."""

from collections.abc import Sequence
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.outcomes.values import Outcome
from dynabench.loop.validations.repository import ValidationRepository
from dynabench.loop.validations.schemas import ValidationCreate, ValidationRead
from dynabench.loop.validations.service import ValidationService
from dynabench.loop.validations.values import LEASE_DURATION, Vote
from dynabench.science.statistics.agreement import Judged
from tests.factories.examples import Stage


async def vote(
    stage: Stage,
    example_id: UUID,
    vote: Vote | None = Vote.CORRECT,
    *,
    by: Actor | None = None,
    answer: str | None = None,
    key: RequestKey | None = None,
) -> ValidationRead:
    """Cast a vote, by somebody new unless the test says who; an answer takes its place."""
    body = ValidationCreate(
        vote=vote if answer is None else None,
        answer=None if answer is None else {"label": answer},
    )
    validator = by or await stage.person()
    await lend(stage, example_id, to=validator)
    return await stage.wiring.get(ValidationService).vote(
        example_id, body, actor=validator, key=key
    )


async def lend(stage: Stage, example_id: UUID, *, to: Actor) -> None:
    """Lend an example to a validator, whatever else waits in the queue."""
    assert to.user_id is not None
    async with stage.db.transaction() as session:
        await ValidationRepository(session).lend_again(
            example_id=example_id,
            validator_id=to.user_id,
            expires_at=stage.clock.now() + LEASE_DURATION,
        )


async def lent(stage: Stage, by: Actor, *, count: int = 5) -> list[UUID]:
    """Return the examples that a validator is lent next."""
    found = await stage.wiring.get(ValidationService).next_items(
        stage.round_.id, count=count, actor=by
    )
    return [item.example_id for item in found.items]


async def outcome_of(stage: Stage, example_id: UUID) -> Outcome:
    """Return an example's outcome."""
    async with stage.db.read() as session:
        found = await stage.wiring.get(OutcomeService).get_many(session, [example_id])
    return found[example_id]


def judged_by(
    items: Sequence[Sequence[str]], *, authors: int = 12, people: int = 12
) -> list[Judged]:
    """Return items with their votes, written and judged by as many people in turn."""
    return [
        Judged(n % authors, [((n + place) % people, label) for place, label in enumerate(votes)])
        for n, votes in enumerate(items)
    ]
