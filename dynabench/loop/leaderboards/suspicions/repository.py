"""SQL of suspected errors: which released examples they are, and what experts found."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Text,
    any_,
    delete,
    func,
    literal,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.tables import dataset_items
from dynabench.loop.datasets.values import Split
from dynabench.loop.examples.tables import examples
from dynabench.loop.leaderboards.suspicions.values import Finding, Suspicion, SuspicionState
from dynabench.loop.leaderboards.tables import suspected_errors


@dataclass(frozen=True, slots=True)
class SuspicionRow:
    """A suspicion as it is stored."""

    example_id: UUID
    task_id: UUID
    version_id: UUID
    evidence: dict[str, dict[str, object] | None]
    raised_at: datetime
    settled_at: datetime | None
    settled_by: UUID | None
    finding: Finding | None


class SuspicionRepository:
    """Reads and keeps suspected errors."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def uids_at(self, version_id: UUID, positions: Collection[int]) -> dict[int, str]:
        """Return the names of test items by their places."""
        statement = select(dataset_items.c.position, dataset_items.c.uid).where(
            dataset_items.c.version_id == version_id,
            dataset_items.c.split == Split.TEST,
            dataset_items.c.position.in_(positions),
        )
        return {row.position: row.uid for row in await self._session.execute(statement)}

    async def golds(self, version_id: UUID, uids: Collection[str]) -> dict[str, dict[str, object]]:
        """Return the gold answers of those of the items that are in a version."""
        statement = select(dataset_items.c.uid, dataset_items.c.gold).where(
            dataset_items.c.version_id == version_id,
            # One array, however many names: a statement has room for 65,535 values.
            dataset_items.c.uid == any_(literal(list(uids), type_=ARRAY(Text))),
        )
        return {row.uid: row.gold for row in await self._session.execute(statement)}

    async def keep(
        self, version_id: UUID, found: Sequence[Suspicion], *, task_id: UUID, now: datetime
    ) -> None:
        """Keep a version's suspicions; what an expert has settled stays as it is."""
        await self._session.execute(
            delete(suspected_errors).where(
                suspected_errors.c.version_id == version_id,
                suspected_errors.c.settled_at.is_(None),
                suspected_errors.c.example_id.not_in([one.example_id for one in found]),
            )
        )
        for one in found:
            evidence = {
                "responses": None if one.responses is None else _json(asdict(one.responses)),
                "votes": None if one.votes is None else asdict(one.votes),
            }
            values = {"task_id": task_id, "version_id": version_id, "raised_at": now}
            await self._session.execute(
                upsert(suspected_errors)
                .values(example_id=one.example_id, evidence=evidence, **values)
                .on_conflict_do_update(
                    index_elements=["example_id"],
                    set_={"evidence": evidence},
                    where=suspected_errors.c.settled_at.is_(None),
                )
            )

    async def page(
        self,
        round_id: UUID,
        *,
        state: SuspicionState,
        after: tuple[datetime, UUID] | None,
        limit: int,
    ) -> list[SuspicionRow]:
        """Return a round's suspicions, the oldest first."""
        key = (suspected_errors.c.raised_at, suspected_errors.c.example_id)
        statement = (
            select(suspected_errors)
            .join(examples, examples.c.id == suspected_errors.c.example_id)
            .where(examples.c.round_id == round_id, _is_in(state))
            .order_by(*key)
            .limit(limit)
        )
        if after is not None:
            statement = statement.where(tuple_(*key) > tuple_(*map(literal, after)))
        rows = await self._session.execute(statement)
        return [SuspicionRow(**row._mapping) for row in rows]  # noqa: SLF001

    async def counts(self, round_id: UUID) -> Mapping[Finding | None, int]:
        """Return how many suspicions of a round there are by finding; None is open."""
        statement = (
            select(suspected_errors.c.finding, func.count())
            .join(examples, examples.c.id == suspected_errors.c.example_id)
            .where(examples.c.round_id == round_id)
            .group_by(suspected_errors.c.finding)
        )
        return {row[0]: row[1] for row in await self._session.execute(statement)}

    async def get(self, example_id: UUID) -> SuspicionRow | None:
        """Return what is suspected of an example."""
        statement = select(suspected_errors).where(suspected_errors.c.example_id == example_id)
        row = (await self._session.execute(statement)).one_or_none()
        return None if row is None else SuspicionRow(**row._mapping)  # noqa: SLF001

    async def settle(self, example_id: UUID, finding: Finding, *, by: UUID, now: datetime) -> None:
        """Write down what an expert found."""
        await self._session.execute(
            update(suspected_errors)
            .where(suspected_errors.c.example_id == example_id)
            .values(settled_at=now, settled_by=by, finding=finding)
        )


def _is_in(state: SuspicionState) -> ColumnElement[bool]:
    is_open = suspected_errors.c.settled_at.is_(None)
    return is_open if state is SuspicionState.OPEN else ~is_open


def _json(evidence: dict[str, object]) -> dict[str, object]:
    """Return evidence with its models' ids as text."""
    return {
        name: [str(one) for one in value] if isinstance(value, list) else value
        for name, value in evidence.items()
    }
