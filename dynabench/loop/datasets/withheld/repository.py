"""SQL of finding texts in released test sets whose answers are withheld."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    Integer,
    Row,
    Text,
    TextClause,
    Uuid,
    bindparam,
    func,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.database import Session
from dynabench.kit.wire import Values
from dynabench.loop.datasets.tables import dataset_versions, datasets
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin
from dynabench.loop.rounds.tables import rounds
from dynabench.loop.rounds.values import RoundStatus, ValidationMode
from dynabench.science.texts.near_duplicates import Signature, bands

_ROUNDS = bindparam("round_ids", type_=ARRAY(Uuid))
_BANDS = bindparam("bands", type_=ARRAY(Integer))
_PICTURES = bindparam("pictures", type_=JSONB)
_WRITER = bindparam("annotator_id", type_=Uuid)

# Found by band before anything is joined, for the planner takes bands that nothing shares for
# a tenth of the table.
_ALIKE = text(
    """
    WITH alike AS MATERIALIZED (
      SELECT e.id, e.round_id FROM examples e WHERE e.similarity_bands && :bands
    )
    SELECT i.version_id, i.uid, i.inputs
      FROM alike
      JOIN datasets d ON d.round_id = alike.round_id
      JOIN dataset_versions v ON v.dataset_id = d.id
      JOIN dataset_items i ON i.version_id = v.id AND i.split = 'test'
       AND i.uid = left(encode(sha256(uuid_send(alike.id)), 'hex'), 16)
     WHERE alike.round_id = ANY(:round_ids)
    """
).bindparams(_BANDS, _ROUNDS)


# What transforms of the platform made of found items: it has its own text, and no answer either.
_VARIANTS = text(
    """
    SELECT varied.inputs
      FROM unnest(:version_ids, :uids) AS found(version_id, uid)
      JOIN dataset_versions p ON p.perturbs_id = found.version_id
     CROSS JOIN LATERAL jsonb_object_keys(p.perturbation -> 'transforms') AS made(transform)
      JOIN dataset_items varied ON varied.version_id = p.id
       AND varied.uid = found.uid || ':' || made.transform
    """
).bindparams(bindparam("version_ids", type_=ARRAY(Uuid)), bindparam("uids", type_=ARRAY(Text)))


# The same of examples that are not released, but for those that the writer wrote.
_COLLECTED_ALIKE = text(
    """
    SELECT e.inputs FROM examples e
     WHERE e.similarity_bands && :bands AND e.round_id = ANY(:round_ids)
       AND e.annotator_id IS DISTINCT FROM :annotator_id
    """
).bindparams(_BANDS, _ROUNDS, _WRITER)


# Whatever is written about the same pictures and sounds.
_ABOUT = text(
    """
    SELECT i.version_id, i.uid, i.inputs
      FROM datasets d
      JOIN dataset_versions v ON v.dataset_id = d.id
      JOIN dataset_items i ON i.version_id = v.id AND i.split = 'test'
     WHERE d.round_id = ANY(:round_ids) AND i.context @> :pictures
    """
).bindparams(_ROUNDS, _PICTURES)


_COLLECTED_ABOUT = text(
    """
    SELECT e.inputs FROM examples e JOIN contexts c ON c.id = e.context_id
     WHERE e.round_id = ANY(:round_ids) AND c.content @> :pictures
       AND e.annotator_id IS DISTINCT FROM :annotator_id
    """
).bindparams(_ROUNDS, _PICTURES, _WRITER)


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
        self,
        round_ids: Collection[UUID],
        signatures: Sequence[Signature | None],
        *,
        pictures: Values | None,
    ) -> list[Values]:
        """Return the inputs of test items, and of their variants, that may be like a text.

        Args:
            round_ids: The rounds that they come from.
            signatures: Those of the text, in each form in which it may be stored.
            pictures: Only items about these pictures and sounds, whatever their text.
        """
        if pictures is None:
            bound = _ALIKE.bindparams(bands=_keys(round_ids, signatures))
        else:
            bound = _ABOUT.bindparams(pictures=pictures)
        found = await self._find(bound, round_ids)
        if not found:
            return []
        names = {
            "version_ids": [one.version_id for one in found],
            "uids": [one.uid for one in found],
        }
        varied = await self._session.execute(_VARIANTS, names)
        return [*(one.inputs for one in found), *varied.scalars()]

    async def collected(
        self,
        round_ids: Collection[UUID],
        signatures: Sequence[Signature | None],
        *,
        pictures: Values | None,
        not_by: UUID | None,
    ) -> list[Values]:
        """Return the inputs of examples that may be like a text; see `released`.

        What `not_by` wrote is left out.
        """
        if pictures is None:
            bound = _COLLECTED_ALIKE.bindparams(bands=_keys(round_ids, signatures))
        else:
            bound = _COLLECTED_ABOUT.bindparams(pictures=pictures)
        found = await self._find(bound.bindparams(annotator_id=not_by), round_ids)
        return [one.inputs for one in found]

    async def _find(self, statement: TextClause, round_ids: Collection[UUID]) -> Sequence[Row[Any]]:
        if not round_ids:
            return []
        # The same as for a submission: things are looked up by index from here on.
        await self._session.execute(select(func.set_config("enable_seqscan", "off", True)))
        found = await self._session.execute(statement, {"round_ids": list(round_ids)})
        return found.all()


def _keys(round_ids: Collection[UUID], signatures: Sequence[Signature | None]) -> list[int]:
    return [key for one in round_ids for minima in signatures for key in bands(minima, one.bytes)]
