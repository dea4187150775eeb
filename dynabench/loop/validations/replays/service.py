"""Keeps votes that were cast elsewhere, and what they make of their examples."""

from collections.abc import Collection, Sequence
from uuid import UUID

from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import send
from dynabench.loop.validations.outcomes.service import OutcomeService, announcing_change
from dynabench.loop.validations.replays.repository import ReplayedVoteRepository
from dynabench.loop.validations.replays.values import AddedVotes, ReplayedVote


async def add_replayed(
    session: Session,
    votes: Sequence[ReplayedVote],
    *,
    new_examples: Collection[UUID],
    example_ids: Sequence[UUID],
    outcomes: OutcomeService,
) -> AddedVotes:
    """Store the votes that are not here yet and bring outcomes up to them.

    Args:
        session: The caller's transaction, in which the examples are there already.
        votes: Blind votes, in the order cast.
        new_examples: Examples that were stored in this transaction: their counts change
            even without a vote.
        example_ids: The examples whose outcomes are wanted.
        outcomes: Derives them from the rows.

    Returns:
        How many votes were new, which examples have a vote that was there already with
        another answer, and the outcomes of `example_ids`.
    """
    repository = ReplayedVoteRepository(session)
    judged = await repository.add_missing(votes) if votes else []
    left: set[UUID] = set()
    if len(judged) < len(votes):
        answers = await repository.answers([vote.id for vote in votes])
        left = {vote.example_id for vote in votes if answers[vote.id] != vote.answer}
    derived = await outcomes.refresh(session, example_ids)
    changed = {*new_examples, *judged} & derived.keys()
    await send(session, *(announcing_change(derived[one]) for one in changed))
    return AddedVotes(added=len(judged), left=left, outcomes=derived)
