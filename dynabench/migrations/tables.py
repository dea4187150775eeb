"""Loads every table of the product into the one `MetaData`."""

import importlib
import pkgutil

import dynabench.engines
import dynabench.kit
import dynabench.loop
import dynabench.people

_ELSEWHERE = ("dynabench.kit.idempotency",)


def load_all_tables() -> None:
    """Import each `tables.py`, and the tables that `kit` has beside its code."""
    for room in (dynabench.engines, dynabench.people, dynabench.loop):
        for module in pkgutil.walk_packages(room.__path__, prefix=f"{room.__name__}."):
            if module.name.endswith(".tables"):
                importlib.import_module(module.name)
    for name in _ELSEWHERE:
        importlib.import_module(name)
