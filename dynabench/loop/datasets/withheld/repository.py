"""SQL of finding texts in released test sets whose answers are withheld."""

from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy import ARRAY, Integer, Uuid, bindparam, func, select, text

from dynabench.kit.db.database import Session
from dynabench.kit.wire import Values
from dynabench.loop.datasets.tables import dataset_items, dataset_versions, datasets
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, Split

# Found by band before anything is joined, for the planner takes bands that nothing shares for
# a tenth of the table.
_ALIKE = text(
    """
    WITH alike AS MATERIALIZED (
      SELECT e.id, e.round_id, e.inputs FROM examples e WHERE e.similarity_bands && :bands
    )
    SELECT alike.inputs
      FROM alike
      JOIN datasets d ON d.round_id = alike.round_id
      JOIN dataset_versions v ON v.dataset_id = d.id
      JOIN dataset_items i ON i.version_id = v.id AND i.split = 'test'
       AND i.uid = left(encode(sha256(uuid_send(alike.id)), 'hex'), 16)
     WHERE alike.round_id = ANY(:round_ids)
    """
).bindparams(bindparam("bands", type_=ARRAY(Integer)), bindparam("round_ids", type_=ARRAY(Uuid)))


class WithheldRepository:
    """Reads test sets whose answers are withheld."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def rounds(self, task_id: UUID) -> list[UUID]:
        """Return the rounds of a task whose test answers are withheld."""
        statement = (
            select(datasets.c.round_id)
            .join(dataset_versions, dataset_versions.c.dataset_id == datasets.c.id)
            .where(
                datasets.c.task_id == task_id,
                datasets.c.origin == DatasetOrigin.RELEASE,
                datasets.c.access != DatasetAccess.STANDARD,
                datasets.c.round_id.is_not(None),
                dataset_versions.c.test_opened_at.is_(None),
            )
        )
        return list((await self._session.execute(statement)).scalars())

    async def alike(self, round_ids: Collection[UUID], bands: Sequence[int]) -> list[Values]:
        """Return the inputs of test items that share a band."""
        # The same as for a submission: things are looked up by index from here on.
        await self._session.execute(select(func.set_config("enable_seqscan", "off", True)))
        found = await self._session.execute(
            _ALIKE, {"bands": list(bands), "round_ids": list(round_ids)}
        )
        return list(found.scalars())

    async def on_context(self, round_ids: Collection[UUID], digest: bytes) -> list[Values]:
        """Return the inputs of test items on a context."""
        statement = (
            select(dataset_items.c.inputs)
            .join(dataset_versions, dataset_versions.c.id == dataset_items.c.version_id)
            .join(datasets, datasets.c.id == dataset_versions.c.dataset_id)
            .where(
                datasets.c.round_id.in_(round_ids),
                dataset_items.c.split == Split.TEST,
                dataset_items.c.context_digest == digest,
            )
        )
        return list((await self._session.execute(statement)).scalars())
