"""SQL of finding texts in released test sets whose answers are withheld."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ARRAY, Integer, TextClause, Uuid, bindparam, func, select, text

from dynabench.kit.db.database import Session
from dynabench.kit.wire import Values
from dynabench.loop.contexts.tables import contexts
from dynabench.loop.datasets.tables import dataset_items, dataset_versions, datasets
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, Split
from dynabench.loop.examples.tables import examples
from dynabench.loop.rounds.tables import rounds
from dynabench.loop.rounds.values import RoundStatus, ValidationMode
from dynabench.science.texts.near_duplicates import Signature, bands

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


# The same of examples that are not released.
_COLLECTED_ALIKE = text(
    """
    SELECT e.inputs FROM examples e
     WHERE e.similarity_bands && :bands AND e.round_id = ANY(:round_ids)
    """
).bindparams(bindparam("bands", type_=ARRAY(Integer)), bindparam("round_ids", type_=ARRAY(Uuid)))


@dataclass(frozen=True, slots=True, kw_only=True)
class WithheldRounds:
    """The rounds of a task whose answers nobody may learn from a model.

    Attributes:
        released: Those whose test answers are withheld.
        blind: Those that are judged blind and not released.
    """

    released: list[UUID]
    blind: list[UUID]


class WithheldRepository:
    """Reads texts whose answers are withheld."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def rounds(self, task_id: UUID) -> WithheldRounds:
        """Return the rounds of a task whose answers are withheld."""
        released = (
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
        blind = select(rounds.c.id).where(
            rounds.c.task_id == task_id,
            rounds.c.status.in_([RoundStatus.OPEN, RoundStatus.CLOSED]),
            rounds.c.validation_mode == ValidationMode.BLIND,
            rounds.c.is_replay.is_(False),
        )
        return WithheldRounds(
            released=list((await self._session.execute(released)).scalars()),
            blind=list((await self._session.execute(blind)).scalars()),
        )

    async def released(
        self, round_ids: Collection[UUID], minima: Signature | None, *, context_digest: bytes | None
    ) -> list[Values]:
        """Return the inputs of test items that may be like a text.

        Args:
            round_ids: The rounds that they come from.
            minima: The text's signature.
            context_digest: Only items on this context, whatever their text.
        """
        if context_digest is None:
            return await self._alike(_ALIKE, round_ids, minima)
        statement = (
            select(dataset_items.c.inputs)
            .join(dataset_versions, dataset_versions.c.id == dataset_items.c.version_id)
            .join(datasets, datasets.c.id == dataset_versions.c.dataset_id)
            .where(
                datasets.c.round_id.in_(round_ids),
                dataset_items.c.split == Split.TEST,
                dataset_items.c.context_digest == context_digest,
            )
        )
        return list((await self._session.execute(statement)).scalars())

    async def collected(
        self, round_ids: Collection[UUID], minima: Signature | None, *, context_digest: bytes | None
    ) -> list[Values]:
        """Return the inputs of examples that may be like a text; see `released`."""
        if context_digest is None:
            return await self._alike(_COLLECTED_ALIKE, round_ids, minima)
        statement = (
            select(examples.c.inputs)
            .join(contexts, contexts.c.id == examples.c.context_id)
            .where(examples.c.round_id.in_(round_ids), contexts.c.digest == context_digest)
        )
        return list((await self._session.execute(statement)).scalars())

    async def _alike(
        self, statement: TextClause, round_ids: Collection[UUID], minima: Signature | None
    ) -> list[Values]:
        if not round_ids:
            return []
        # The same as for a submission: things are looked up by index from here on.
        await self._session.execute(select(func.set_config("enable_seqscan", "off", True)))
        keys = [key for one in round_ids for key in bands(minima, one.bytes)]
        found = await self._session.execute(
            statement, {"bands": keys, "round_ids": list(round_ids)}
        )
        return list(found.scalars())
