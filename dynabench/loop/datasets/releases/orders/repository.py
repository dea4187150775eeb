"""The SQL of releases that wait for verdicts."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, exists, select
from sqlalchemy.dialects.postgresql import insert

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.releases.orders.values import WaitingOrder
from dynabench.loop.datasets.tables import release_orders
from dynabench.loop.datasets.values import ReleaseOrder
from dynabench.loop.rounds.tables import rounds
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.values import Verdict


class OrderRepository:
    """Reads and writes what is to be released later."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(self, order: ReleaseOrder, *, created_by: UUID | None) -> None:
        """Keep an order until the round's verdicts are in; it takes an earlier one's place."""
        values = {"payload": order.payload(), "created_by": created_by}
        await self._session.execute(
            insert(release_orders)
            .values(round_id=order.round_id, **values)
            .on_conflict_do_update(index_elements=["round_id"], set_=values)
        )

    async def get(self, round_id: UUID) -> WaitingOrder | None:
        """Return what is to be released of a round."""
        statement = select(release_orders).where(release_orders.c.round_id == round_id)
        row = (await self._session.execute(statement)).one_or_none()
        if row is None:
            return None
        return WaitingOrder(ReleaseOrder.of_payload(row.payload), row.created_by, row.created_at)

    async def is_any(self) -> bool:
        """Tell whether anything waits at all."""
        return bool(await self._session.scalar(select(exists().select_from(release_orders))))

    async def take(self, round_id: UUID) -> bool:
        """Take an order away; False if there is none."""
        found = await self._session.execute(
            delete(release_orders).where(release_orders.c.round_id == round_id)
        )
        return bool(found.rowcount)

    async def due(self) -> Sequence[WaitingOrder]:
        """Return the orders whose rounds have no open verdict any more, and hold them."""
        waits = exists().where(
            outcomes.c.round_id == release_orders.c.round_id,
            outcomes.c.verdict == Verdict.PENDING,
            outcomes.c.is_wanted,
        )
        statement = (
            select(release_orders)
            .join(rounds, rounds.c.id == release_orders.c.round_id)
            .where(rounds.c.status == RoundStatus.CLOSED, ~waits)
            .order_by(release_orders.c.created_at, release_orders.c.round_id)
            .with_for_update(of=release_orders, skip_locked=True)
        )
        return [
            WaitingOrder(ReleaseOrder.of_payload(row.payload), row.created_by, row.created_at)
            for row in await self._session.execute(statement)
        ]
