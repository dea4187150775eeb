"""Loads every table of the product into the one `MetaData`."""

import importlib
import pkgutil

from sqlalchemy import CheckConstraint, Table

import dynabench.engines
import dynabench.kit
import dynabench.loop
import dynabench.people
from dynabench.kit.db.metadata import metadata

_ELSEWHERE = ("dynabench.kit.idempotency", "dynabench.kit.rate_limits.tables")


def load_all_tables() -> None:
    """Import each `tables.py`, and the tables that `kit` has beside its code."""
    for room in (dynabench.engines, dynabench.people, dynabench.loop):
        for module in pkgutil.walk_packages(room.__path__, prefix=f"{room.__name__}."):
            if module.name.endswith(".tables"):
                importlib.import_module(module.name)
    for name in _ELSEWHERE:
        importlib.import_module(name)
    for table in metadata.tables.values():
        _lift_checks(table)


def _lift_checks(table: Table) -> None:
    """Make checks of single columns the table's, as Alembic writes only these into a revision."""
    for column in table.columns:
        for check in [*column.constraints]:
            if isinstance(check, CheckConstraint):
                column.constraints.discard(check)
                table.append_constraint(CheckConstraint(check.sqltext, name=check.name))
