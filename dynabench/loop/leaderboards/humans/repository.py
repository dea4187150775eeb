"""SQL of how people do: the answers of validators, and what was computed of them."""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.rules import uid_of
from dynabench.loop.datasets.tables import dataset_items
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.tables import human_scores
from dynabench.loop.leaderboards.humans.values import HumanFigure, VotedItem
from dynabench.loop.validations.tables import validations


class HumanRepository:
    """Reads votes of a round as answers to a release's test items."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def known(self, version_ids: Collection[UUID], *, metric: str) -> set[UUID]:
        """Return the versions of which it was computed before."""
        statement = select(human_scores.c.dataset_version_id).where(
            human_scores.c.dataset_version_id.in_(version_ids), human_scores.c.metric == metric
        )
        return set((await self._session.execute(statement)).scalars())

    async def voted_items(
        self, version_id: UUID, *, round_id: UUID, field_name: str
    ) -> list[VotedItem]:
        """Return the test items with what ordinary validators answered to them."""
        answers = await self._answers(round_id, field_name)
        statement = select(
            dataset_items.c.uid, dataset_items.c.gold, dataset_items.c.context_digest
        ).where(dataset_items.c.version_id == version_id, dataset_items.c.split == Split.TEST)
        return [
            VotedItem(
                row.uid,
                row.gold[field_name],
                bytes(row.context_digest),
                [answer for answer, _ in answers[row.uid]],
                [validator for _, validator in answers[row.uid]],
            )
            for row in await self._session.execute(statement)
            if row.uid in answers and field_name in row.gold
        ]

    async def _answers(
        self, round_id: UUID, field_name: str
    ) -> Mapping[str, list[tuple[object, UUID]]]:
        statement = (
            select(validations.c.example_id, validations.c.answer, validations.c.validator_id)
            .where(
                validations.c.round_id == round_id,
                validations.c.is_expert.is_(False),
                validations.c.withdrawn_at.is_(None),
                validations.c.answer.is_not(None),
            )
            .order_by(validations.c.created_at, validations.c.id)
        )
        found: dict[str, list[tuple[object, UUID]]] = {}
        for row in await self._session.execute(statement):
            if field_name in row.answer:
                said = row.answer[field_name], row.validator_id
                found.setdefault(uid_of(row.example_id), []).append(said)
        return found

    async def keep(
        self, version_id: UUID, figure: HumanFigure, *, metric: str, method: str, now: datetime
    ) -> None:
        """Keep how people do on a version's test split."""
        values = {**asdict(figure), "method": method, "computed_at": now}
        await self._session.execute(
            upsert(human_scores)
            .values(dataset_version_id=version_id, split=Split.TEST.value, metric=metric, **values)
            .on_conflict_do_update(
                index_elements=["dataset_version_id", "split", "metric"], set_=values
            )
        )
