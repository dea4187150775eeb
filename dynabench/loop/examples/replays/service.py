"""Keeps attempts that were made elsewhere, in the transaction of the replay."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from dynabench.kit.db.database import Session
from dynabench.loop.examples.replays.repository import ReplayedExampleRepository
from dynabench.loop.examples.rules import compared_text
from dynabench.loop.examples.values import StoredExample
from dynabench.science.task_config.schema import TaskConfig
from dynabench.science.texts.near_duplicates import bands_of


async def add_replayed(
    session: Session, found: Sequence[StoredExample], *, config: TaskConfig
) -> set[UUID]:
    """Store the attempts that are not here yet, duplicates too; returns the new ones' ids.

    Their outcomes are the caller's to write, in the same transaction.

    Args:
        session: The caller's transaction.
        found: A few hundred attempts of closed rounds, with ids that depend on their source
            alone.
        config: The config of their task, which says what models see of them.
    """
    if not found:
        return set()
    bands = {
        one.id: bands_of(compared_text(config.seen_by_model(one.inputs)), one.round_id.bytes)
        for one in found
    }
    return await ReplayedExampleRepository(session).add_missing(found, bands=bands)


async def link_contrasts(session: Session, pairs: Mapping[UUID, UUID]) -> None:
    """Say of attempts that are here which other one each was made from."""
    repository = ReplayedExampleRepository(session)
    for example_id, other_id in pairs.items():
        await repository.link_contrast(example_id, other_id=other_id)
