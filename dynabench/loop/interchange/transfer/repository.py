"""All SQL of a move: a task's rows out in order, and in as they come."""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

import orjson
import psycopg
from psycopg.types.json import Jsonb
from sqlalchemy import (
    Column,
    Row,
    Text,
    Uuid,
    any_,
    bindparam,
    collate,
    exists,
    func,
    insert,
    literal,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.loop.contexts.tables import contexts
from dynabench.loop.examples.tables import examples
from dynabench.loop.interchange.transfer.parts import (
    MEDIA_PART,
    Claim,
    Part,
    belongs,
    is_kept_from,
)
from dynabench.loop.interchange.transfer.rules import Account
from dynabench.loop.tasks.tables import tasks
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.tables import validations
from dynabench.people.tables import users

_ROWS_AT_ONCE = 2_000
_COMING_IN = "transfer.coming_in"


class TransferRepository:
    """Reads and writes the rows of a task."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def take_time(self) -> None:
        """Let the statements of this transaction run as long as a large task needs."""
        await self._session.execute(text("SET LOCAL statement_timeout = 0"))
        await self._session.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))

    async def take_turn(self) -> None:
        """Wait until no other task is coming in, and let none come in until this ends."""
        key = func.hashtextextended(_COMING_IN, 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def find_task(self, slug: str) -> UUID | None:
        """Return the task of a short name."""
        found: UUID | None = await self._session.scalar(
            select(tasks.c.id).where(tasks.c.slug == slug)
        )
        return found

    async def slug_of(self, task_id: UUID) -> str | None:
        """Return the short name of a task, if it is here."""
        found: str | None = await self._session.scalar(
            select(tasks.c.slug).where(tasks.c.id == task_id)
        )
        return found

    async def are_outcomes_whole(self, task_id: UUID) -> bool:
        """Tell whether each of a task's attempts has its outcome."""
        lacking = select(examples.c.id).where(
            examples.c.task_id == task_id,
            ~exists().where(outcomes.c.example_id == examples.c.id),
        )
        return (await self._session.execute(lacking.limit(1))).first() is None

    # SQLAlchemy types a row of chosen columns as Row[Any].
    async def rows(
        self, part: Part, task_id: UUID, *, reader: UUID | None
    ) -> AsyncIterator[Sequence[Row[Any]]]:
        """Give a task's rows of a part by their key, some at a time, as far as a reader may know.

        Texts are sorted by their code points, wherever the database lies.
        """
        statement = select(*part.columns).where(belongs(part, task_id, reader=reader))
        found = await self._session.stream(
            statement.order_by(*(_plainly(one) for one in part.key)),
            execution_options={"yield_per": _ROWS_AT_ONCE},
        )
        async for rows in found.partitions():
            yield rows

    async def kept_from(self, reader: UUID, task_id: UUID) -> frozenset[UUID]:
        """Return the attempts that are kept from a reader."""
        statement = select(examples.c.id).where(examples.c.task_id == task_id, is_kept_from(reader))
        return frozenset((await self._session.execute(statement)).scalars())

    # SQLAlchemy types a row of chosen columns as Row[Any].
    async def media(self, digests: Sequence[str]) -> Sequence[Row[Any]]:
        """Return what is known of those stored files that are known, by digest."""
        table = MEDIA_PART.table
        statement = select(*MEDIA_PART.columns).where(
            table.c.digest == any_(literal(list(digests), type_=ARRAY(Text)))
        )
        return (await self._session.execute(statement.order_by(_plainly(table.c.digest)))).all()

    # The same as above.
    async def people(self, ids: Collection[UUID]) -> Sequence[Account]:
        """Return people by their ids."""
        statement = select(
            users.c.id, users.c.username, users.c.display_name, users.c.is_synthetic
        ).where(users.c.id == any_(literal(list(ids), type_=ARRAY(Uuid))))
        return [*await self._session.execute(statement.order_by(users.c.id))]

    async def taken_names(self, keys: Collection[str]) -> set[str]:
        """Return those of some people's names, casefolded, that somebody has."""
        statement = select(users.c.username_key).where(
            users.c.username_key == any_(literal(list(keys), type_=ARRAY(Text)))
        )
        return set((await self._session.execute(statement)).scalars())

    async def who_is_named(
        self, part: Part, claim: Claim, people: Collection[UUID], task_id: UUID
    ) -> frozenset[UUID]:
        """Return those of some people whom rows of a task name in the same place."""
        column = part.table.c[claim.column]
        statement = select(column).where(
            belongs(part, task_id), column == any_(literal(list(people), type_=ARRAY(Uuid)))
        )
        if claim.role is not None:
            statement = statement.where(part.table.c.role == claim.role)
        return frozenset((await self._session.execute(statement.distinct())).scalars())

    async def add_people(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Write people who can never sign in."""
        if rows:
            await self._session.execute(insert(users), list(rows))

    async def add_media(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Write what is known of stored files; a file that is known stays as it is."""
        if rows:
            await self._session.execute(
                upsert(MEDIA_PART.table).on_conflict_do_nothing(), list(rows)
            )

    async def copy(self, part: Part, rows: Iterable[Mapping[str, object]]) -> None:
        """Write the rows of a part in one go, but for its late columns.

        Raises:
            psycopg.errors.IntegrityError: If a row breaks a rule of its table; its line among
                the rows is in the error's context.
        """
        # A session that is open has its connection; nothing is waited for here.
        assert self._session.sync_connection is not None
        connection = self._session.sync_connection.connection.driver_connection
        assert isinstance(connection, psycopg.AsyncConnection)
        columns = [one for one in part.columns if one.name not in part.late]
        names = ", ".join(f'"{one.name}"' for one in columns)
        command = f'COPY "{part.name}" ({names}) FROM STDIN'
        async with connection.cursor() as cursor, cursor.copy(command.encode()) as copy:
            for row in rows:
                await copy.write_row([_cell(one, row[one.name]) for one in columns])

    async def fill_in(self, part: Part, column: str, pairs: Mapping[UUID, UUID]) -> None:
        """Give rows that are there the rows that they name."""
        if pairs:
            await self._session.execute(
                update(part.table)
                .where(part.table.c.id == bindparam("key"))
                .values({column: bindparam("named")}),
                [{"key": key, "named": named} for key, named in pairs.items()],
            )

    async def contents(self, context_ids: Collection[UUID]) -> dict[UUID, dict[str, object]]:
        """Return what contexts hold."""
        statement = select(contexts.c.id, contexts.c.content).where(
            contexts.c.id == any_(literal(list(context_ids), type_=ARRAY(Uuid)))
        )
        return {row.id: row.content for row in await self._session.execute(statement)}

    async def vote_answers(
        self, example_ids: Sequence[UUID]
    ) -> list[tuple[UUID, dict[str, object]]]:
        """Return what blind validators answered, with the example that it is about."""
        statement = select(validations.c.example_id, validations.c.answer).where(
            validations.c.example_id == any_(literal(list(example_ids), type_=ARRAY(Uuid))),
            validations.c.answer.is_not(None),
        )
        rows = await self._session.execute(statement)
        return [(row.example_id, row.answer) for row in rows]


# Columns of every type.
def _plainly(column: Column[Any]) -> Any:
    is_text = column.type.python_type is str
    return collate(column, "C") if is_text else column


# The same as above.
def _cell(column: Column[Any], value: object) -> object:
    if isinstance(column.type, JSONB) and value is not None:
        return Jsonb(value, dumps=orjson.dumps)
    return value
