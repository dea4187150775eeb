"""Writing a release: its items by uid, some at a time, in the caller's transaction."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from dynabench.kit.db.database import Session
from dynabench.kit.sentences import Phrase
from dynabench.kit.wire import Values
from dynabench.loop.datasets.cards.artifacts.service import find_artifacts
from dynabench.loop.datasets.cards.rules import build_card
from dynabench.loop.datasets.releases.gathering.service import label_name_of
from dynabench.loop.datasets.releases.repository import ReleaseRepository
from dynabench.loop.datasets.releases.values import Content, Missing, Terms
from dynabench.loop.datasets.releases.writing.rules import ItemMaker
from dynabench.loop.datasets.releases.writing.values import Decided
from dynabench.loop.datasets.repository import DatasetRepository
from dynabench.loop.datasets.rules import ContentDigest
from dynabench.loop.datasets.storing.service import copy_items, seal_version
from dynabench.loop.datasets.values import DatasetItem, DatasetVersion, ReleaseOrder
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.schema import TaskConfig

_LOOKING = Phrase("doing.looking_for_artifacts", "looking for artifacts").say()
_WRITING = Phrase("doing.writing", "writing").say()

Progress: TypeAlias = Callable[[float, float, str], Awaitable[None]]

# Of all the work, what is left for the card once the items are there.
_WRITTEN_SHARE = 0.9


async def write_release(
    session: Session,
    version: DatasetVersion,
    decided: Decided,
    *,
    order: ReleaseOrder,
    config: TaskConfig,
    progress: Progress,
) -> DatasetVersion:
    """Write a version with its items and card; memory holds a page of items at a time.

    The digest is made of the very items that are written, in their order by uid.

    Args:
        session: The caller's transaction, which holds the round.
        version: What is known of the version so far.
        decided: What becomes of the round's attempts.
        order: What the owner asked for.
        config: The task's.
        progress: Told how far this is.

    Returns:
        The version with its digest and card.
    """
    await ReleaseRepository(session).add_dataset(version)
    await DatasetRepository(session).insert_version(version)
    maker = await asyncio.to_thread(
        ItemMaker,
        decided.gathered.candidates,
        decided.plan,
        seed=order.seed,
        text_names=_texts_of(config),
    )
    digest = await _write_items(session, version, maker, progress)
    await progress(_WRITTEN_SHARE, 1, _LOOKING)
    artifacts = await find_artifacts(
        maker.sampled,
        has_context=bool(config.context),
        has_labels=label_name_of(config) is not None,
    )
    terms = _terms_of(order, missing=decided.missing, artifacts=artifacts)
    card = await asyncio.to_thread(
        build_card, decided.gathered, decided.plan, source=decided.source, terms=terms
    )
    await seal_version(session, version.id, digest=digest, card=card)
    return replace(version, digest=digest, card=card)


def _texts_of(config: TaskConfig) -> list[str]:
    """Return the written texts that a model reads, from which it could guess without context."""
    texts = [one for one in config.written_fields if isinstance(one.type, StringType)]
    return [one.name for one in texts if one.is_shown_to_model]


def _terms_of(order: ReleaseOrder, *, missing: Sequence[Missing], artifacts: Values) -> Terms:
    return Terms(
        seed=order.seed,
        licence=order.licence,
        shares=order.shares,
        missing=missing,
        artifacts=artifacts,
    )


async def _write_items(
    session: Session, version: DatasetVersion, maker: ItemMaker, progress: Progress
) -> str:
    content = ContentDigest()
    round_id = version.round_id
    assert round_id is not None, "a release has its round"
    written = 0

    def next_items(contents: list[Content]) -> list[DatasetItem]:
        items = maker.make(contents)
        content.add(items)
        return items

    async for contents in ReleaseRepository(session).contents(round_id):
        # Thousands of items at once would keep others from the loop.
        items = await asyncio.to_thread(next_items, contents)
        if items:
            await copy_items(session, version.id, items)
        written += len(items)
        await progress(_WRITTEN_SHARE * written, max(len(maker), 1), _WRITING)
    assert written == len(maker), "what was planned is what the round holds"
    return content.hexdigest()
