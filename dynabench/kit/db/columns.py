"""Column builders, so that every table spells ids, times and states in the same way."""

from datetime import datetime
from enum import StrEnum
from typing import TypeVar
from uuid import UUID

from sqlalchemy import CheckConstraint, Column, DateTime, Dialect, Table, Text, Uuid, event, func
from sqlalchemy.types import TypeDecorator

EnumT = TypeVar("EnumT", bound=StrEnum)


class EnumText(TypeDecorator[EnumT]):
    """An enum kept as its value in a TEXT column."""

    impl = Text
    cache_ok = True

    def __init__(self, enum: type[EnumT]) -> None:
        super().__init__()
        self.enum = enum

    def process_bind_param(self, value: EnumT | None, dialect: Dialect) -> str | None:
        """Turn the enum into its value; a plain string must be one of the values."""
        del dialect
        return None if value is None else self.enum(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> EnumT | None:
        """Turn the stored value back into the enum."""
        del dialect
        return None if value is None else self.enum(value)


def enum_column(
    name: str,
    enum: type[EnumT],
    *,
    nullable: bool = False,
    default: EnumT | None = None,
    primary_key: bool = False,
) -> Column[EnumT]:
    """Return a TEXT column that takes the values of `enum` only, by a CHECK of its own.

    Args:
        name: The column's name; the CHECK is called `ck_<table>_<name>_is_known`.
        enum: What the column may hold.
        nullable: Whether the column may be empty.
        default: What the database fills in where an INSERT names no value.
        primary_key: Whether the column is part of the key.
    """
    values = ", ".join(f"'{member.value}'" for member in enum)
    column: Column[EnumT] = Column(
        name,
        EnumText(enum),
        nullable=nullable,
        primary_key=primary_key,
        server_default=None if default is None else default.value,
    )

    def add_check(_: Column[EnumT], table: Table) -> None:
        # A CHECK of the table, as migrations are not generated for one of a column.
        check = CheckConstraint(f"{name} IN ({values})", name=f"{name}_is_known")
        table.append_constraint(check)

    event.listen(column, "after_parent_attach", add_check)
    return column


def id_column(name: str = "id") -> Column[UUID]:
    """Return a UUID primary key; the application makes its value (`kit.ids.new_id`)."""
    return Column(name, Uuid, primary_key=True)


def time_column(name: str, *, nullable: bool = False) -> Column[datetime]:
    """Return a column of times with their zone, filled in by the application's clock."""
    return Column(name, DateTime(timezone=True), nullable=nullable)


def utc_now(name: str = "created_at") -> Column[datetime]:
    """Return a column of times with their zone; the database's clock where none is given."""
    return Column(name, DateTime(timezone=True), nullable=False, server_default=func.now())
