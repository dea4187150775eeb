"""The SQL of a release: a round's attempts twice, few columns first, then what is chosen.

Rows come through cursors of the server, so that no round is too large to read.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from sqlalchemy import delete, func, insert, not_, select, text

from dynabench.kit.db.database import Session
from dynabench.kit.wire import Values
from dynabench.loop.datasets.releases.mixing.values import Earlier
from dynabench.loop.datasets.releases.values import Attempt, Content, TimeSpent
from dynabench.loop.datasets.tables import datasets, release_orders
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.examples.tables import examples
from dynabench.loop.rounds.tables import rounds
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.values import Verdict

# The name that `uid_of` gives an example, made where a million of them are sorted by it.
_UID = "left(encode(sha256(uuid_send(e.id)), 'hex'), 16)"
_GOLD = "COALESCE(NULLIF(o.gold, '{}'::jsonb), e.answer)"
# Only the constants above are put into the texts below.
_ATTEMPTS = f"""
    SELECT {_UID}, c.digest, e.annotator_id::text,
           CASE WHEN %(label)s::text IS NOT NULL THEN {_GOLD} ->> %(label)s::text END,
           COALESCE(o.verdict, 'pending'), o.fooled, e.arm, COALESCE(o.is_wanted, false),
           o.voided_at IS NOT NULL, e.flagged_at IS NOT NULL, e.retracted_at IS NOT NULL,
           NOT %(asks_gold)s OR {_GOLD} <> '{{}}'::jsonb
      FROM examples e
      JOIN contexts c ON c.id = e.context_id
      LEFT JOIN outcomes o ON o.example_id = e.id
     WHERE e.round_id = %(round_id)s
"""  # noqa: S608
# The inner query keeps values packed while they are sorted.
_CONTENTS = f"""
    SELECT found.uid, found.content::text, found.inputs::text, found.gold::text, found.tag
      FROM (SELECT {_UID} COLLATE "C" AS uid, c.content, e.inputs, {_GOLD} AS gold, c.tag
              FROM examples e
              JOIN contexts c ON c.id = e.context_id
              LEFT JOIN outcomes o ON o.example_id = e.id
             WHERE e.round_id = %(round_id)s
             ORDER BY 1 OFFSET 0) found
"""  # noqa: S608
_JUDGEMENTS = text(
    """
    SELECT votes, count(*) AS examples
      FROM (SELECT array_agg(judgement ORDER BY judgement) AS votes
              FROM (SELECT example_id, COALESCE(answer::text, vote) AS judgement
                      FROM validations
                     WHERE round_id = :round_id AND NOT is_expert AND withdrawn_at IS NULL) cast_
             GROUP BY example_id HAVING count(*) > 1) per_example
     GROUP BY votes ORDER BY votes
    """
)
# Sums of decimals are the same in whatever order they are made.
_TIME = text(
    """
    SELECT count(*) AS attempts, count(seconds) AS timed, COALESCE(sum(seconds), 0) AS seconds,
           count(seconds) FILTER (WHERE is_validated_fooling) AS validated_fooling,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds)
             FILTER (WHERE is_validated_fooling) AS median
      FROM (SELECT e.time_spent_seconds::numeric AS seconds,
                   COALESCE(o.fooled AND o.verdict = 'correct' AND NOT o.is_retracted, false)
                     AS is_validated_fooling
              FROM examples e
              LEFT JOIN outcomes o ON o.example_id = e.id
             WHERE e.round_id = :round_id AND e.arm = 'target' AND o.voided_at IS NULL) attempts
    """
)
_EARLIER_CONTEXTS = text(
    """
    SELECT DISTINCT encode(i.context_digest, 'hex') AS context, i.split AS split
      FROM datasets d
      JOIN dataset_versions v ON v.dataset_id = d.id
      JOIN dataset_items i ON i.version_id = v.id
     WHERE d.task_id = :task_id AND d.origin = 'release'
    """
)
_EARLIER_PEOPLE = text(
    f"""
    SELECT e.annotator_id::text AS annotator, array_agg(DISTINCT i.split::text) AS splits
      FROM datasets d
      JOIN dataset_versions v ON v.dataset_id = d.id
      JOIN dataset_items i ON i.version_id = v.id
      JOIN examples e ON e.round_id = d.round_id AND {_UID} = i.uid
     WHERE d.task_id = :task_id AND d.origin = 'release'
     GROUP BY e.annotator_id
    """  # noqa: S608 - only the constant above is put into it
)
ROWS_AT_ONCE = 5_000


class Judged(NamedTuple):
    """How many examples got the same judgements."""

    votes: Sequence[str]
    examples: int


class ReleaseRepository:
    """Reads what a release is made of and writes whose it is."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def take_time(self) -> None:
        """Let this transaction last, and sort in memory, as a large round needs."""
        for setting in (
            "statement_timeout = 0",
            "idle_in_transaction_session_timeout = 0",
            "work_mem = '64MB'",
        ):
            await self._session.execute(text(f"SET LOCAL {setting}"))

    async def underived(self, round_id: UUID) -> list[UUID]:
        """Return the examples of a round whose outcome nobody has written yet."""
        statement = (
            select(examples.c.id)
            .outerjoin(outcomes, outcomes.c.example_id == examples.c.id)
            .where(examples.c.round_id == round_id, outcomes.c.example_id.is_(None))
            .order_by(examples.c.id)
        )
        return list((await self._session.execute(statement)).scalars())

    async def attempts(
        self, round_id: UUID, *, label_name: str | None, asks_gold: bool
    ) -> AsyncIterator[list[Attempt]]:
        """Give a round's attempts in any order, some at a time.

        Args:
            round_id: The round.
            label_name: The field with the gold label; None where there is no single one.
            asks_gold: Whether an attempt needs an answer to be of use.
        """
        values = {"round_id": round_id, "label": label_name, "asks_gold": asks_gold}
        async for rows in self._rows("attempts", _ATTEMPTS, values):
            yield [Attempt._make(row) for row in rows]

    async def contents(self, round_id: UUID) -> AsyncIterator[list[Content]]:
        """Give what a round's attempts say, in the order of their uids, some at a time."""
        async for rows in self._rows("contents", _CONTENTS, {"round_id": round_id}):
            yield [Content._make(row) for row in rows]

    async def earlier(self, task_id: UUID) -> Earlier:
        """Return what a task's releases hold so far: contexts, and who wrote for what."""
        contexts: dict[str, set[Split]] = {}
        for row in await self._session.execute(_EARLIER_CONTEXTS, {"task_id": task_id}):
            contexts.setdefault(row.context, set()).add(Split(row.split))
        people = {
            row.annotator: frozenset(row.splits)
            for row in await self._session.execute(_EARLIER_PEOPLE, {"task_id": task_id})
        }
        only_test = frozenset([Split.TEST.value])
        return Earlier(
            contexts=contexts,
            trained=frozenset(one for one, splits in people.items() if splits - only_test),
            test_only=frozenset(one for one, splits in people.items() if splits == only_test),
        )

    async def judgements(self, round_id: UUID) -> list[Judged]:
        """Return the votes on each example with two or more, counted where they are alike.

        Judgements are votes in review mode and answers in blind mode, as text; flags are
        judgements too. Withdrawn and expert votes are left out.
        """
        found = await self._session.execute(_JUDGEMENTS, {"round_id": round_id})
        return [Judged(row.votes, row.examples) for row in found]

    async def time_spent(self, round_id: UUID) -> TimeSpent:
        """Return how long the attempts at a round's targets took."""
        row = (await self._session.execute(_TIME, {"round_id": round_id})).one()
        return TimeSpent(
            attempts=row.attempts,
            timed=row.timed,
            seconds=float(row.seconds),
            validated_fooling=row.validated_fooling,
            median=row.median,
        )

    async def provenance(self, round_id: UUID) -> Values | None:
        """Return where a round that was collected elsewhere comes from."""
        found: Values | None = await self._session.scalar(
            select(rounds.c.provenance).where(rounds.c.id == round_id)
        )
        return found

    async def open_verdicts(self, round_id: UUID, *, blind: UUID | None = None) -> int:
        """Return how many examples of a round wait for their verdict.

        Args:
            round_id: The round.
            blind: Whose attempts without a model are left out, if anybody's.
        """
        return await self._count(round_id, Verdict.PENDING, blind=blind)

    async def disputed(self, round_id: UUID, *, blind: UUID | None = None) -> int:
        """Return how many examples of a round wait for an expert; `blind` as above."""
        return await self._count(round_id, Verdict.DISPUTED, blind=blind)

    async def add_dataset(self, version: DatasetVersion) -> None:
        """Write the dataset of a version."""
        await self._session.execute(
            insert(datasets).values(
                id=version.dataset_id,
                task_id=version.task_id,
                name=version.name,
                round_id=version.round_id,
                access=version.access,
                origin=version.origin,
            )
        )

    async def forget_order(self, round_id: UUID) -> None:
        """Take away what was to be done once the verdicts are in."""
        await self._session.execute(
            delete(release_orders).where(release_orders.c.round_id == round_id)
        )

    async def _count(self, round_id: UUID, verdict: Verdict, *, blind: UUID | None) -> int:
        statement = select(func.count()).where(
            outcomes.c.round_id == round_id,
            outcomes.c.verdict == verdict,
            outcomes.c.is_wanted,
            outcomes.c.voided_at.is_(None),
        )
        if blind is not None:
            is_theirs = (outcomes.c.annotator_id == blind) & (outcomes.c.arm == Arm.NO_MODEL)
            statement = statement.where(not_(is_theirs))
        return int(await self._session.scalar(statement) or 0)

    # What a column holds is known to whoever reads it, not to the row.
    async def _rows(
        self, name: str, statement: str, values: Mapping[str, object]
    ) -> AsyncIterator[list[tuple[Any, ...]]]:
        # A session that is open has its connection; nothing is waited for here.
        assert self._session.sync_connection is not None
        connection = self._session.sync_connection.connection.driver_connection
        assert isinstance(connection, psycopg.AsyncConnection)
        async with connection.cursor(name=name, binary=True) as cursor:
            await cursor.execute(statement.encode(), values)
            while rows := await cursor.fetchmany(ROWS_AT_ONCE):
                yield rows
