from enum import StrEnum

import pytest
from sqlalchemy import MetaData, Table, insert, select, text
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.exc import IntegrityError

from dynabench.kit.db.columns import EnumText, enum_column, id_column, utc_now
from dynabench.kit.db.database import Database
from dynabench.kit.db.metadata import metadata
from dynabench.kit.ids import new_id


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"


things = Table(
    "things",
    MetaData(naming_convention=metadata.naming_convention),
    id_column(),
    enum_column("colour", Colour, default=Colour.RED),
    utc_now(),
)


async def test_an_enum_column_gives_enums_and_takes_nothing_else(database: Database) -> None:
    async with database.transaction() as session:
        await session.run_sync(things.metadata.create_all)
        await session.execute(insert(things).values(id=new_id()))
        await session.execute(insert(things).values(id=new_id(), colour=Colour.GREEN))

    async with database.read() as session:
        found = (await session.execute(select(things).order_by(things.c.created_at))).all()
    assert {row.colour for row in found} == {Colour.RED, Colour.GREEN}
    assert all(isinstance(row.colour, Colour) for row in found)
    assert found[0].created_at.utcoffset().total_seconds() == 0

    async with database.transaction() as session:
        statement = text("INSERT INTO things (id, colour) VALUES (gen_random_uuid(), 'blue')")
        with pytest.raises(IntegrityError, match="ck_things_colour_is_known"):
            await session.execute(statement)


def test_a_value_that_the_enum_lacks_never_reaches_the_database() -> None:
    column = EnumText(Colour)

    with pytest.raises(ValueError, match="blue"):
        # What is tested is a value of the wrong type; the dialect has no types of its own.
        column.process_bind_param("blue", PGDialect())  # type: ignore[arg-type, no-untyped-call]
